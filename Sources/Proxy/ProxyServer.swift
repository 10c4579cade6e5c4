import Facts
import Loop
import Policy
import TLS

/// What a proxy is made of, fixed for its life but for the plan and the trusted roots.
package struct ProxyConfiguration: Sendable {
    /// Where to listen; port 0 picks a free one.
    package var listen: SocketAddress
    /// Ports of single clients, by their names.
    package var clientListens: [(client: String, listen: SocketAddress)]
    /// Event loops, each a thread of its own.
    package var loops: Int
    package var plan: Plan
    /// What origins are verified against.
    package var trust: TrustStore
    /// The CAs and keys to forge with.
    package var material: ForgeMaterial
    /// Told of what connections carry in the clear; nil: nobody looks.
    package var tap: (any ExchangeTap)?
    /// Shown what crosses the wire between clients and the proxy; nil: nobody is. Never in the gate.
    package var wire: (any WireTap)?
    /// What rewrites a connection's messages, asked on its loop when they begin; nil: nothing does. Never in the gate.
    package var layers: (@Sendable (ExchangeConnection) -> (any MessageLayer)?)?
    /// Who reads what a connection to this host says in the clear, asked on its loop when that begins; nil: nobody does. The
    /// second value is what the client's TLS agreed on, nil where there is none. It sees what a tap sees, and the connection
    /// goes on as if nobody looked.
    package var readers: (@Sendable (HostName, Negotiated?) -> (any ExchangeListener)?)?
    /// Instead of the profile's. None in the gate.
    package var upstreamProxy: UpstreamProxy?
    /// What origins are shown that ask for a client certificate. None in the gate.
    package var identities = ClientIdentities()
    /// Told of the secrets of both legs' TLS; nil: nobody is. Never in the gate.
    package var keyLog: KeyLog?
    /// In the debugging proxy: seconds without a byte after which an established connection ends; nil: never. The gate has
    /// limits of its own.
    package var idleLimit: Double?
    /// Clients from public addresses are served as well.
    package var isOpen = false
    /// Addresses that nobody is taken to, under whatever name: what else this program listens on.
    package var forbidden: [SocketAddress] = []
    /// What the proxy answers itself; nil: nothing. None in the gate.
    package var site: OwnSite?
    /// Clients that are served at once; nil: as many as descriptors allow.
    package var connectionLimit: Int?
    /// Descriptors that others in this process may come to need, beyond what they have open: clients leave them free.
    package var othersDescriptors = 0
    /// Connections are numbered from one behind it: a store's flows have those before.
    package var lastConnection: UInt64 = 0
    /// Called on a loop's thread with each connection's observation, once; must not block for long.
    package var observe: @Sendable (Observation) -> Void
    /// Called on a loop's thread before a chain is presented, at least once for each.
    package var presented: (@Sendable (PresentedChain) -> Void)?
    /// Called on a loop's thread with the proxy's end of each TCP connection, as it comes to be; must not block.
    package var ends: (@Sendable (ProxyEnd) -> Void)?

    package init(
        listen: SocketAddress, clientListens: [(client: String, listen: SocketAddress)] = [], loops: Int, plan: Plan,
        trust: TrustStore, material: ForgeMaterial,
        observe: @escaping @Sendable (Observation) -> Void, presented: (@Sendable (PresentedChain) -> Void)? = nil,
        ends: (@Sendable (ProxyEnd) -> Void)? = nil
    ) {
        self.listen = listen
        self.clientListens = clientListens
        self.loops = max(1, loops)
        self.plan = plan
        self.trust = trust
        self.material = material
        self.observe = observe
        self.presented = presented
        self.ends = ends
    }
}

/// An address that the proxy cannot listen on.
package struct ListenError: Error, Sendable {
    package var address: SocketAddress
    /// Whose port it was to be; nil for everybody's.
    package var client: String?
    package var reason: SystemError
}

/// The proxy's end of a TCP connection, for who watches the network and must know its own.
package enum ProxyEnd: Hashable, Sendable {
    /// A client reached it here.
    case accepted(at: Endpoint)
    /// It calls an origin. `host`: who lives at `to`; nil where that is an upstream proxy, or no name is known.
    case dialed(host: HostName?, from: Endpoint, to: Endpoint)
}

/// An intercepting proxy on several event loops.
///
///     let proxy = try ProxyServer(configuration)
///     await proxy.apply(Plan(profile: profile, phase: .passthrough))
///     print("listening on \(proxy.address)")
///     await proxy.stop()
package final class ProxyServer: Sendable {
    /// Where it listens, with the port that was picked.
    package let address: SocketAddress
    /// The same for the clients that have a port of their own.
    package let clientAddresses: [String: SocketAddress]
    let threads: [LoopThread<Worker>]

    /// Binds and starts.
    ///
    /// - Throws: `ListenError` when an address cannot be bound; `OpenSSLError`.
    package init(_ configuration: ProxyConfiguration) throws {
        // An intercepted connection takes two descriptors, and common soft limits are 256 and 1024.
        DescriptorLimit.raise()
        let trial = try TrialMemory(configuration.plan)
        // Each loop has a few of its own, and the resolver some more.
        let budget = ConnectionBudget(
            descriptors: DescriptorLimit.current,
            inUse: (DescriptorLimit.inUse ?? 0) + configuration.loops * Self.descriptorsPerLoop,
            others: configuration.othersDescriptors)
        let shared = Worker.Shared(budget: configuration.connectionLimit.map(ConnectionBudget.init) ?? budget)
        var threads: [LoopThread<Worker>] = []
        do {
            for index in 0..<configuration.loops {
                threads.append(
                    try LoopThread(name: "proxy-\(index)") { loop in
                        try Worker(loop: loop, configuration: configuration, trial: trial, shared, index: index)
                    })
            }
            self.threads = threads
            address = try Self.listen(at: configuration.listen, for: nil, threads)
            var addresses: [String: SocketAddress] = [:]
            for (client, listen) in configuration.clientListens {
                addresses[client] = try Self.listen(at: listen, for: client, threads)
            }
            clientAddresses = addresses
            let listens = ([address] + addresses.values + configuration.forbidden).map {
                ClientReach.Listen($0.address, $0.port)
            }
            for thread in threads { try thread.call { $0.reach.listens = listens } }
            let first = threads[0]
            shared.budget.whenFree { first.submit { $0.acceptWaiting() } }
        } catch {
            // What listens already holds its worker, until it is closed.
            for thread in threads { thread.stop { $0.close() } }
            throw error
        }
    }

    /// epoll or kqueue, the inbox, and the resolver's sockets.
    private static let descriptorsPerLoop = 6

    private static func listen(
        at listen: SocketAddress, for client: String?, _ threads: [LoopThread<Worker>]
    ) throws -> SocketAddress {
        do {
            return try threads[0].call { worker in
                // One acceptor hands descriptors out in turn: load is even, and no loop wakes in vain.
                try worker.listen(at: listen) { turn, socket, place in
                    let index = turn % threads.count
                    if index == 0 {
                        worker.adopt(socket, listener: client, place)
                    } else {
                        threads[index].submit { $0.adopt(socket, listener: client, place) }
                    }
                }
            }
        } catch let error as SystemError {
            throw ListenError(address: listen, client: client, reason: error)
        }
    }

    /// Where clients connect: `127.0.0.1:PORT`, also when it listens on every address.
    package var endpoint: Endpoint { Self.endpoint(of: address) }

    /// The same for the clients that have a port of their own.
    package var clientEndpoints: [String: Endpoint] { clientAddresses.mapValues(Self.endpoint) }

    private static func endpoint(of address: SocketAddress) -> Endpoint {
        guard address.address.bytes.allSatisfy({ $0 == 0 }),
            let loopback = IPAddress(address.address.isIPv4 ? "127.0.0.1" : "::1")
        else { return address.endpoint }
        return Endpoint(HostName(loopback), address.port)
    }

    /// Puts a plan (and, where given, other trusted roots) in force; connections accepted after this follow it.
    package func apply(_ plan: Plan, trust: TrustStore? = nil) async throws {
        let trial = try TrialMemory(plan)
        for thread in threads {
            let failure = Locked<(any Error)?>(nil)
            await thread.run { worker, done in
                do { try worker.apply(plan, trial, trust: trust) } catch { failure.withLock { $0 = error } }
                done()
            }
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    /// Returns when no connection is in the middle of showing what it does: attacked and neither closed nor open for
    /// ten seconds without a byte, or still on its way to that; at the latest after `Patience.settling`, loops and rounds
    /// together.
    package func settle() async {
        let deadline = MonotonicClock.now + Patience.settling
        // A connection may be waiting to be accepted, or be on its way from the acceptor to its loop: the second
        // round sees what the first one brought in.
        for _ in 0..<2 {
            for thread in threads {
                await thread.run { worker, done in
                    worker.acceptWaiting()
                    worker.whenSettled(by: deadline, done)
                }
            }
        }
    }

    /// Ends every connection as the gate's doing, turns new ones away until the next `apply`, and returns when all of
    /// them have been observed.
    package func endConnections() async {
        for _ in 0..<2 {
            for thread in threads {
                await thread.run { worker, done in
                    worker.acceptWaiting()
                    worker.endConnections()
                    done()
                }
            }
        }
    }

    /// How many connections are open, over all loops.
    package func connectionCount() async -> Int {
        let total = Locked(0)
        for thread in threads {
            await thread.run { worker, done in
                let count = worker.connectionCount
                total.withLock { $0 += count }
                done()
            }
        }
        return total.withLock { $0 }
    }

    /// Bytes held for the slowest peer of all connections; what shows that back-pressure works.
    func heaviestBacklog() async -> Int {
        let heaviest = Locked(0)
        for thread in threads {
            await thread.run { worker, done in
                let held = worker.heaviestBacklog
                heaviest.withLock { $0 = max($0, held) }
                done()
            }
        }
        return heaviest.withLock { $0 }
    }

    /// Ends every connection, closes the port and the loops.
    package func stop() async {
        for thread in threads {
            await thread.run { worker, done in
                worker.close()
                done()
            }
        }
        for thread in threads { thread.stop() }
    }
}
