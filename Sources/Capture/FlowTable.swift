import Facts
import Loop
import TLS
import Wire

/// One direction between two ends.
struct FlowKey: Hashable, Sendable {
    var from: Endpoint
    var to: Endpoint
    var isTCP: Bool

    var reversed: FlowKey { FlowKey(from: to, to: from, isTCP: isTCP) }
}

/// Captured packets put together to flows: who talks to whom, and which host is named.
struct FlowTable {
    struct Flow: Hashable, Sendable {
        let key: FlowKey
        let at: Double
        var transport: NetworkFlow.Transport
        var host: HostName?
        var hidesName = false
        var isCut = false
        var cleartext = false
        var packets = 0
        fileprivate var hello: QUICHello?
        fileprivate var isRead: Bool { host != nil || cleartext }
    }

    struct Harvest: Sendable {
        var flows: [Flow] = []
        var packets = 0
        var untracked = 0
    }

    /// Destinations of datagrams that count whatever is in them; to other ports only a client's Initial does.
    let udpPorts: Set<UInt16>
    private var flows: [FlowKey: Flow] = [:]
    private var packets = 0
    private var untracked = 0
    /// Flows whose hello of QUIC is not whole yet.
    private var pending = 0
    /// What was known before: an answer to it is no beginning.
    private var earlier: Set<FlowKey> = []

    /// Far more than a test's client makes in one run; a scan must not fill the memory.
    static let limit = 10_000
    /// Each holds up to 32 KB.
    static let pendingLimit = 256

    init(udpPorts: Set<UInt16>) { self.udpPorts = udpPorts }

    /// All flows since the last time.
    mutating func collect() -> Harvest {
        defer {
            earlier = Set(flows.keys)
            flows = [:]
            (packets, untracked, pending) = (0, 0, 0)
        }
        return Harvest(
            flows: flows.values.sorted { ($0.at, $0.key.from.description) < ($1.at, $1.key.from.description) },
            packets: packets, untracked: untracked)
    }

    /// - Parameter bytes: from the IP header on.
    mutating func take(_ bytes: Span<UInt8>, at now: Double) {
        guard case .packet(let packet) = NetworkPacket.read(bytes) else { return }
        packets += 1
        switch packet.transport {
        case .tcp(let opens): takeTCP(packet, opens, bytes, now)
        case .udp: takeUDP(packet, bytes, now)
        }
    }

    private mutating func takeTCP(_ packet: NetworkPacket, _ opens: Bool, _ bytes: Span<UInt8>, _ now: Double) {
        let key = FlowKey(from: packet.from, to: packet.to, isTCP: true)
        let spoken = packet.payload.isEmpty ? .unreadable : SpokenName(reading: packet.content(of: bytes))
        // A connection that began earlier shows itself by what it says.
        guard var flow = flows[key] ?? (opens || spoken != .unreadable ? new(key, .tcp, now) : nil) else { return }
        flow.packets += 1
        if !flow.isRead { flow.name(spoken) }
        flows[key] = flow
    }

    private mutating func takeUDP(_ packet: NetworkPacket, _ bytes: Span<UInt8>, _ now: Double) {
        let key = FlowKey(from: packet.from, to: packet.to, isTCP: false)
        guard flows[key.reversed] == nil, !earlier.contains(key.reversed) else { return }
        let content = packet.content(of: bytes)
        if var flow = flows[key] {
            flow.packets += 1
            if !flow.isRead, flow.hello != nil || pending < Self.pendingLimit {
                var hello = flow.hello ?? QUICHello()
                if hello.take(content) { note(hello, in: &flow) }
            }
            flows[key] = flow
            return
        }
        var hello = QUICHello()
        let isInitial = hello.take(content)
        guard isInitial || udpPorts.contains(key.to.port) else { return }
        let isQUIC = isInitial || QUICInitial.looksLikeQUIC(content.span)
        guard var flow = new(key, isQUIC ? .quic : .udp, now) else { return }
        flow.packets = 1
        if isInitial { note(hello, in: &flow) }
        flows[key] = flow
    }

    private mutating func note(_ hello: QUICHello, in flow: inout Flow) {
        flow.transport = .quic
        if let whole = hello.hello {
            if flow.hello != nil { pending -= 1 }
            flow.hello = nil
            flow.name(SpokenName(whole))
        } else if flow.hello != nil || pending < Self.pendingLimit {
            if flow.hello == nil { pending += 1 }
            flow.hello = hello
        }
    }

    private mutating func new(_ key: FlowKey, _ transport: NetworkFlow.Transport, _ now: Double) -> Flow? {
        guard flows.count < Self.limit else {
            untracked += 1
            return nil
        }
        return Flow(key: key, at: now, transport: transport)
    }
}

extension FlowTable.Flow {
    fileprivate mutating func name(_ spoken: SpokenName) {
        switch spoken {
        case .tls(let name, let hides): (host, hidesName, isCut) = (name, hides, false)
        // Its rest passes unseen: the kernel's filter knows beginnings alone.
        case .cut(let name): (host, hidesName, isCut) = (name, true, true)
        case .http(let name): (host, cleartext) = (name, true)
        case .unreadable: break
        }
    }
}

/// The ClientHello in a QUIC client's first datagrams.
struct QUICHello: Hashable, Sendable {
    private var keys: QUICInitialKeys?
    private var stream = QUICCryptoStream()

    var hello: ClientHello? { stream.hello }

    /// Takes what of a datagram opens with a client's keys, and returns whether anything did.
    mutating func take(_ datagram: [UInt8]) -> Bool {
        var isInitial = false
        for packet in QUICInitial.all(in: datagram.span) {
            let bytes = Array(datagram[packet.range])
            // The keys stay those of the first packet, also where the server then asks for another identifier; but
            // for a Retry, after which they are derived anew.
            let fresh = QUICInitialKeys(packet.version == .v1 ? .v1 : .v2, destinationID: packet.destinationID)
            for candidate in [keys, fresh].compactMap(\.self) {
                guard let frames = candidate.open(bytes, packetNumberOffset: packet.packetNumberOffset) else {
                    continue
                }
                isInitial = true
                keys = keys ?? candidate
                stream.take(frames)
                break
            }
        }
        return isInitial
    }
}
