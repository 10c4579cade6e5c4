import Facts
import Loop
import Policy

/// The gate's watch over this network namespace: TCP and QUIC past the proxy.
package final class NetworkWatch: Sendable {
    private let profile: Profile
    private let thread: LoopThread<Watcher>
    private let known = Locked(Known())

    /// Written by the proxy's loops.
    private struct Known {
        /// The proxy's own connections to origins since the last trial.
        var dialed: Set<FlowKey> = []
        /// Where clients reach the proxy.
        var ends: Set<Endpoint> = []
        var addresses = HostAddresses()
        var isOverrun = false
    }

    /// As many connections as a run may have lines of evidence.
    private static let dialedLimit = 200_000
    /// Addresses of this machine under which clients reach the proxy.
    private static let endLimit = 1000
    /// Lines of evidence per trial: enough to see what a client does, and few beside its connections.
    static let lineLimit = 500
    /// Seconds for looking up all names; a resolver that is out of reach must not hold up the run.
    private static let lookupLimit = 3.0
    /// Names that are looked up; the addresses of others are learned from the proxy's own dialing.
    private static let nameLimit = 500

    /// Begins to look.
    ///
    package init(profile: Profile) throws(WatchError) {
        self.profile = profile
        do {
            thread = try LoopThread(name: "watch") { loop in try Watcher(loop, udpPorts: profile.udpPorts) }
        } catch let error as SystemError {
            throw WatchError(
                reason: error.reason,
                obstacle: error.isNotSupported ? .system : error.isPermissionDenied ? .permission : .other)
        } catch {
            throw WatchError(reason: "\(error)", obstacle: .other)
        }
    }

    deinit { thread.stop() }

    /// Connections to this address are the proxy's clients'.
    package func ignore(_ proxy: Endpoint) { known.withLock { _ = $0.ends.insert(proxy) } }

    /// A client reached the proxy here; from any thread.
    package func accepted(at local: Endpoint) {
        known.withLock { if $0.ends.count < Self.endLimit { $0.ends.insert(local) } }
    }

    /// The proxy calls an origin, or an upstream proxy; from any thread.
    ///
    /// - Parameter host: who lives at `to`, where that is known.
    package func dialed(_ host: HostName?, from: Endpoint, to: Endpoint) {
        known.withLock { known in
            guard known.dialed.count < Self.dialedLimit else { return known.isOverrun = true }
            known.dialed.insert(FlowKey(from: from, to: to, isTCP: true))
            if let host, !host.isIP { known.addresses.add(host, at: to) }
        }
    }

    package func begin() async {
        let lookups = profile.lookups
        for (host, place) in profile.resolve where place.host.address != nil { note(host, place.host, place.port) }
        let names = lookups.keys.filter { !$0.isIP }.sorted().prefix(Self.nameLimit)
        await thread.run { watcher, done in
            watcher.lookUp(Array(names), within: Self.lookupLimit) { [weak self] name, addresses in
                for address in addresses {
                    for (host, port) in lookups[name] ?? [] { self?.note(host, HostName(address), port) }
                }
            } done: {
                done()
            }
        }
        _ = await harvest()
        known.withLock { $0.dialed = [] }
    }

    private func note(_ host: HostName, _ address: HostName, _ port: UInt16?) {
        known.withLock { known in
            if let port {
                known.addresses.add(host, at: Endpoint(address, port))
            } else if let address = address.address {
                known.addresses.add(host, at: address)
            }
        }
    }

    package func collect(trial: Int) async -> [EvidenceRecord] {
        let (harvest, dropped, failure) = await harvest()
        let known = known.withLock { known in
            defer { known.dialed = [] }
            return known
        }
        var watched = NetworkWatched(
            trial: trial, packets: harvest.packets, dropped: dropped, untracked: harvest.untracked, fault: failure)
        if known.isOverrun || known.addresses.isFull { watched.fault = watched.fault ?? "too many connections to tell" }
        var lines: [NetworkFlow] = []
        for flow in harvest.flows where !isProxys(flow.key, known) {
            let found = NetworkFlow(
                trial: trial, at: (flow.at * 1e6).rounded() / 1e6, transport: flow.transport, from: flow.key.from,
                to: flow.key.to, host: flow.host, hidesName: flow.hidesName, isCut: flow.isCut,
                names: known.addresses.names(at: flow.key.to, flow.transport), cleartext: flow.cleartext,
                packets: flow.packets)
            if !concerns(found) {
                watched.others += 1
            } else if lines.count < Self.lineLimit {
                lines.append(found)
            } else {
                watched.untracked += 1
            }
        }
        return lines.map(EvidenceRecord.flow) + [.networkWatched(watched)]
    }

    private func isProxys(_ key: FlowKey, _ known: Known) -> Bool {
        key.isTCP && (known.ends.contains(key.to) || known.dialed.contains(key))
    }

    /// It may be for a host of the profile. What else this machine does is nobody's business here.
    private func concerns(_ flow: NetworkFlow) -> Bool {
        let hosts = [flow.host].compactMap(\.self) + (flow.host == nil || flow.hidesName ? flow.names : [])
        if hosts.contains(where: { profile.rule(for: $0) != nil || profile.isControl($0) }) { return true }
        return flow.mayBeAnyones
    }

    private func harvest() async -> (FlowTable.Harvest, dropped: Int, failure: String?) {
        let result = Locked<(FlowTable.Harvest, Int, String?)>((FlowTable.Harvest(), 0, "the watch has ended"))
        await thread.run { watcher, done in
            let harvest = watcher.harvest()
            result.withLock { $0 = harvest }
            done()
        }
        return result.withLock { $0 }
    }
}

/// What lives on the watch's loop.
private final class Watcher {
    private let loop: EventLoop
    private var table: FlowTable
    private var capture: PacketCapture?
    private var timer: LoopTimer?

    init(_ loop: EventLoop, udpPorts: Set<UInt16>) throws(SystemError) {
        self.loop = loop
        table = FlowTable(udpPorts: udpPorts)
        capture = try PacketCapture(on: loop, udpPorts: udpPorts) { [unowned self] packet in
            table.take(packet, at: WallClock.now)
        }
    }

    func harvest() -> (FlowTable.Harvest, Int, String?) {
        capture?.drain()
        let failure = capture?.failure.map { "reading packets failed: \($0.reason)" }
        return (table.collect(), capture?.takeDropped() ?? 0, failure)
    }

    /// Calls `done` once all are answered or the time is over; answers that come later are still told.
    func lookUp(
        _ names: [HostName], within seconds: Double,
        _ found: @escaping @Sendable (HostName, [IPAddress]) -> Void, done: @escaping () -> Void
    ) {
        let left = Countdown(names.count + 1, done)
        timer = LoopTimer(on: loop, every: seconds) { [unowned self] in
            timer = nil
            left.end()
        }
        for name in names {
            loop.resolve(Endpoint(name, 443)) { result in
                if case .success(let addresses) = result { found(name, addresses.map(\.address)) }
                left.count()
            }
        }
        left.count()
    }
}

/// Calls once, when all have been counted or somebody is tired of waiting.
private final class Countdown {
    private var left: Int
    private var done: (() -> Void)?

    init(_ count: Int, _ done: @escaping () -> Void) {
        left = count
        self.done = done
    }

    func count() {
        left -= 1
        if left <= 0 { end() }
    }

    func end() {
        done?()
        done = nil
    }
}
