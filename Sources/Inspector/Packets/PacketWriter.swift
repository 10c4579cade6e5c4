import Evidence
import Facts
import Flows
import Formats
import Loop

/// Makes packets of what connections tell, in the order in which it is told.
///
/// It lives on the thread that writes.
struct PacketWriter {
    typealias Write = ([UInt8]) throws(SystemError) -> Void

    /// Bytes that are put together before they are written.
    static let pieceSize = 1024 * 1024

    private let clock: FlowClock
    private var blocks = PcapngBlocks()
    private var conversations: [UInt64: CapturedConversation] = [:]
    /// Lines that no packet has followed yet.
    private var secrets: [UInt8] = []
    /// Of the last packet: time goes on in a file.
    private var last: UInt64 = 0

    init(clock: FlowClock) {
        self.clock = clock
        blocks.begin(
            application: "pinproof \(Version.pinproof)", interface: "pinproof proxy",
            comment:
                "What passed between clients and the proxy, as its sockets saw it: the bytes are real, with the secrets "
                + "of their TLS; handshakes, sequence numbers and acknowledgements of TCP are made up.")
    }

    mutating func write(_ events: [PacketLog.Event], _ write: Write) throws(SystemError) {
        for event in events {
            add(event)
            if blocks.count >= Self.pieceSize { try write(blocks.take()) }
        }
        addSecrets()
        if blocks.count > 0 { try write(blocks.take()) }
    }

    mutating func finish(_ dropped: PacketLog.Dropped, at now: Double, _ write: Write) throws(SystemError) {
        let packets = UInt64(blocks.packetCount)
        blocks.statistics(at: moment(now), received: packets, dropped: UInt64(dropped.pieces))
        try write(blocks.take())
    }

    private mutating func add(_ event: PacketLog.Event) {
        switch event {
        case .began(let number, let client, let proxy, let at):
            var conversation = CapturedConversation(
                client: TCPConversation.End(client.address, client.port),
                proxy: TCPConversation.End(proxy.address, proxy.port), number: number)
            conversation.begin(at: moment(at), into: &blocks)
            conversations[number] = conversation
        case .passed(let number, let direction, let bytes, let at):
            addSecrets()
            let moment = moment(at)
            conversations[number]?.pass(bytes[...], direction, at: moment, into: &blocks)
        case .missed(let number, let direction, let count): conversations[number]?.miss(count, direction)
        case .ended(let number, let direction, let at):
            let moment = moment(at)
            conversations[number]?.end(direction, at: moment, into: &blocks)
        case .reset(let number, let side, let at):
            let moment = moment(at)
            conversations[number]?.reset(by: side, at: moment, into: &blocks)
        case .closed(let number): conversations[number] = nil
        case .secret(let line):
            secrets += line
            secrets.append(0x0a)
        }
    }

    private mutating func addSecrets() {
        guard !secrets.isEmpty else { return }
        blocks.secrets(secrets)
        secrets = []
    }

    /// Nanoseconds since 1970; never before the packet before it, as loops tell what they have seen a moment later.
    private mutating func moment(_ now: Double) -> UInt64 {
        let unix = clock.unix(now)
        let nanoseconds = unix > 0 && unix < 4e9 ? UInt64(unix * 1e6) * 1000 : 0
        last = max(last, nanoseconds)
        return last
    }
}
