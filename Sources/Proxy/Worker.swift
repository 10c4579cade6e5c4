import Facts
import Loop
import Policy
import TLS
import Wire

/// What of the proxy lives on one loop: connections, contexts, caches, the plan in force.
final class Worker {
    let loop: EventLoop
    let workspace = TLSWorkspace()
    private let serverContext: ServerContext
    /// Those that only some attacks need, made when the first client meets one.
    private var rareContexts: [ServerContext.Kind: ServerContext] = [:]
    let forge: Forge
    let observe: @Sendable (Observation) -> Void
    let wasPresented: (@Sendable (PresentedChain) -> Void)?
    let ends: (@Sendable (ProxyEnd) -> Void)?
    let tap: (any ExchangeTap)?
    private let wire: (any WireTap)?
    let layers: (@Sendable (ExchangeConnection) -> (any MessageLayer)?)?
    let readers: (@Sendable (HostName, Negotiated?) -> (any ExchangeListener)?)?
    private let identities: ClientIdentities
    private let keyLog: KeyLog?
    let idleLimit: Double?
    let upstreamProxy: UpstreamProxy?
    /// Names this proxy in the Via fields of what it asks of an upstream proxy.
    let pseudonym: String
    let site: OwnSite?
    let calls: OwnCalls
    let homes: KnownHomes
    let shown: ShownChains
    private let budget: ConnectionBudget
    /// Who may come, and where they may go; known once the proxy listens.
    var reach: ClientReach
    private var machineAddresses = LocalAddresses()
    private var unasked: UnaskedConnections<Connection>
    private var fingerprints = FingerprintCache()
    var chainFacts = ChainFacts()
    private(set) var origins: OriginContexts
    private(set) var sharedPlan: SharedValue<Plan>
    var plan: Plan { _read { yield sharedPlan.value } }
    private(set) var trial: TrialMemory
    /// The plan's, by what they are told by.
    private(set) var clients: ClientDirectory

    private var connections: [ObjectIdentifier: Connection] = [:]
    private var siteConnections: [ObjectIdentifier: SiteConnection] = [:]
    private var accepted: UInt64 = 0
    private let index: UInt64
    private let lastConnection: UInt64
    private let stride: UInt64
    private var listeners: [Listener] = []
    private var turn = 0
    private var isBetweenTrials = false
    private var lastPresented: PresentedChain?
    /// Chains that were handed to whoever keeps them, by their certificates.
    private var presented: Set<[String]> = []
    private var ebb = Ebb()
    private var sweeper: LoopTimer?
    private var settleWaiters: [() -> Void] = []
    /// When the waiting ends, whatever goes on.
    private var settleDeadline = 0.0
    private var settleTimer: LoopTimer?

    /// Seconds between looks at deadlines: they are tens of seconds long, and one look at 10,000 connections takes
    /// some 100 µs.
    private static let sweepInterval = 1.0
    /// Seconds between looks while somebody waits for connections to settle.
    private static let settleInterval = 0.02

    /// A run's hosts times its attacks; beyond it a chain may be handed over twice, which costs a look at the disk.
    private static let presentedLimit = 4096

    init(loop: EventLoop, configuration: ProxyConfiguration, trial: TrialMemory, _ shared: Shared, index: Int) throws {
        self.loop = loop
        calls = shared.calls
        pseudonym = shared.pseudonym
        homes = shared.homes
        shown = shared.shown
        budget = shared.budget
        unasked = UnaskedConnections(connections: shared.budget.limit, loops: configuration.loops)
        reach = ClientReach(isOpen: configuration.isOpen)
        keyLog = configuration.keyLog
        serverContext = try ServerContext(keyLog: keyLog)
        identities = configuration.identities
        origins = try OriginContexts(trust: configuration.trust, identities: identities, keyLog: keyLog)
        forge = Forge(configuration.material)
        observe = configuration.observe
        wasPresented = configuration.presented
        ends = configuration.ends
        tap = configuration.tap
        wire = configuration.wire
        layers = configuration.layers
        readers = configuration.readers
        idleLimit = configuration.idleLimit
        upstreamProxy = configuration.upstreamProxy
        site = configuration.site
        sharedPlan = SharedValue(configuration.plan)
        self.trial = trial
        clients = ClientDirectory(configuration.plan.profile.clients)
        self.index = UInt64(index)
        lastConnection = configuration.lastConnection
        stride = UInt64(configuration.loops)
        sweeper = LoopTimer(on: loop, every: Self.sweepInterval) { [unowned self] in sweep() }
    }

    /// What all loops of a proxy have in common.
    struct Shared: Sendable {
        let calls = OwnCalls()
        /// Names this proxy to other proxies, and is nobody else's.
        let pseudonym = "pinproof-" + Hex.encode((0..<8).map { _ in UInt8.random(in: .min ... .max) })
        let homes = KnownHomes()
        let shown = ShownChains()
        let budget: ConnectionBudget
    }

    // MARK: Listening

    /// Only on the first loop: takes connections and says where each one goes. May be called for several addresses.
    ///
    /// - Parameter hand: called with a number that counts up, the socket, and its place.
    func listen(
        at address: SocketAddress, _ hand: @escaping (Int, AcceptedSocket, ConnectionBudget.Place) -> Void
    ) throws(SystemError) -> SocketAddress {
        var place: ConnectionBudget.Place?
        let listener = try Listener(
            on: loop, at: address,
            mayAccept: { [unowned self] in
                if place == nil { place = budget.take() }
                return place != nil
            },
            { [unowned self] socket in
                guard let taken = place else { return }
                place = nil
                hand(turn, socket, taken)
                turn += 1
            })
        listeners.append(listener)
        return listener.address
    }

    func acceptWaiting() { for listener in listeners { listener.acceptWaiting() } }

    /// Takes nothing more and ends what is there.
    func close() {
        listeners = []
        endConnections()
        sweeper = nil
        settleTimer = nil
        let waiters = settleWaiters
        settleWaiters = []
        for waiter in waiters { waiter() }
    }

    // MARK: Connections

    /// - Parameter listener: the client whose port it came to.
    func adopt(_ socket: AcceptedSocket, listener: String? = nil, _ place: ConnectionBudget.Place) {
        if let ends, let local = socket.localAddress { ends(.accepted(at: local.endpoint)) }
        // The socket closes itself: a client that is being ended must not leave the picture of a refusal behind.
        guard !isBetweenTrials else { return }
        guard reach.isAdmitted(socket.peer?.address) else { return refuse(socket) }
        let destination = socket.originalDestination
        let witness = witness(of: socket)
        guard let stream = TCPStream(on: loop, accepted: socket) else { return }
        stream.witness = witness
        if noticesLostPeers { stream.noticeLostPeer() }
        take(Arrival(stream: stream, listener: listener, originalDestination: destination, place: place))
    }

    private func witness(of socket: AcceptedSocket) -> (any StreamWitness)? {
        guard let wire, let client = socket.peer, let local = socket.localAddress else { return nil }
        return wire.accepted(from: client, at: local)
    }

    /// Where silence ends nothing, a peer that is gone without a word would keep its place for ever.
    var noticesLostPeers: Bool { plan.phase == .debugging && idleLimit == nil }

    /// A new client, however it came.
    func take(_ arrival: Arrival) { begin(Connection(arrival, number: nextNumber(), worker: self)) }

    /// The client's next plain request, on the connection of its last one.
    func goOn(_ arrival: Arrival, _ earlier: Connection.Continuation) {
        begin(Connection(arrival, number: nextNumber(), worker: self, continuing: earlier))
    }

    private func begin(_ connection: Connection) {
        connections[ObjectIdentifier(connection)] = connection
        let oldest = unasked.insert(connection, connection.number)
        connection.begin()
        oldest?.handle(.evicted)
    }

    /// A client that wants nothing of the network, but what the proxy answers itself.
    func receive(_ visitor: SiteConnection.Visitor, at site: OwnSite) {
        let connection = SiteConnection(visitor, to: site, worker: self)
        siteConnections[ObjectIdentifier(connection)] = connection
        connection.begin(hasEnded: visitor.hasEnded)
    }

    func left(_ connection: SiteConnection) { siteConnections[ObjectIdentifier(connection)] = nil }

    /// Numbers are unique over all loops without a shared counter.
    private func nextNumber() -> UInt64 {
        defer { accepted += 1 }
        return lastConnection + accepted * stride + index + 1
    }

    /// A stranger's, where the proxy is not open to all. Unread: whatever it says is not for us.
    private func refuse(_ socket: AcceptedSocket) {
        witness(of: socket)?.closed(byReset: false)
        let now = MonotonicClock.now
        var notes = ConnectionNotes(
            number: nextNumber(), trial: plan.trial, at: WallClock.now, accepted: now, client: socket.peer?.endpoint)
        notes.fault(.proxyForbidden)
        notes.fault("refused: it comes from a public address, and the proxy was not started with --open")
        notes.closed(by: .proxy, .aborted)
        observe(notes.finished(EvidenceTap(accepted: now)))
    }

    /// Of a connection: its client has shown a request.
    func hasAsked(_ connection: Connection) { unasked.remove(connection.number) }

    /// Why a connection to `address` is not made for this client.
    func refusal(of client: IPAddress?, to address: SocketAddress, isNamed: Bool) -> ClientReach.Refusal? {
        reach.refusal(
            of: client, to: address.address, port: address.port, isNamed: isNamed,
            machine: { machineAddresses.addresses(at: MonotonicClock.now) })
    }

    /// What makes the sessions of an offer; `.resumable` is the trial's.
    func serverContext(_ kind: ServerContext.Kind) throws(OpenSSLError) -> ServerContext {
        if kind == .standard { return serverContext }
        if let made = rareContexts[kind] { return made }
        let made = try ServerContext(kind, keyLog: keyLog)
        rareContexts[kind] = made
        return made
    }

    /// Whose a connection is, by where it came to or from; what it shows says more.
    func clientName(on listener: String?, from source: IPAddress?) -> String? {
        // The self-test's plan knows no clients: to it, a device that is early is a stranger like any other.
        guard !plan.profile.clients.isEmpty else { return nil }
        return listener ?? source.flatMap(clients.client)
    }

    /// How a connection's client is told by what it shows; nil where none is.
    func authentication(isRequired: Bool) -> ProxyAuthentication? {
        guard clients.usesCredentials else { return nil }
        return ProxyAuthentication(isRequired: isRequired) { [clients] in
            clients.client(user: $0.user, password: $0.password)
        }
    }

    func fingerprint(of hello: ClientHello) -> Fingerprint {
        fingerprints.fingerprint(of: hello, sha256: SHA256.digest)
    }

    /// Lets the owner of the presented chains know of one, the first time it is used on this loop.
    func willPresent(_ chain: PresentedChain) {
        guard let wasPresented, lastPresented !== chain else { return }
        lastPresented = chain
        if presented.count >= Self.presentedLimit { presented = [] }
        guard presented.insert(chain.sha256s).inserted else { return }
        wasPresented(chain)
    }

    /// - Parameter observation: nil of one that was none.
    func finished(_ connection: Connection, _ observation: Observation?) {
        connections[ObjectIdentifier(connection)] = nil
        unasked.remove(connection.number)
        if let observation { observe(observation) }
        checkSettled()
    }

    private func sweep() {
        // Who waits in the kernel's queue is not known; who has a place and says nothing is.
        let isFull = budget.isAwaited
        let now = MonotonicClock.now
        for connection in Array(connections.values) {
            if isFull, connection.machine.mayMakeRoom(now) {
                connection.handle(.evicted)
            } else {
                connection.tick()
            }
        }
        for connection in Array(siteConnections.values) { connection.checkDeadline(now, othersWait: isFull) }
        // Once for all loops: they have the heap in common.
        if index == 0, ebb.isOver(open: budget.count) { Heap.giveBack() }
    }

    // MARK: The gate's side

    /// Connections accepted from now on follow `plan`.
    func apply(_ plan: Plan, _ trial: TrialMemory, trust: TrustStore?) throws {
        if let trust { origins = try OriginContexts(trust: trust, identities: identities, keyLog: keyLog) }
        sharedPlan = SharedValue(plan)
        self.trial = trial
        clients = ClientDirectory(plan.profile.clients)
        isBetweenTrials = false
    }

    /// Calls `done` once no connection is in the middle of showing what it does, or at `deadline`.
    func whenSettled(by deadline: Double, _ done: @escaping () -> Void) {
        settleWaiters.append(done)
        settleDeadline = deadline
        checkSettled()
        if !settleWaiters.isEmpty, settleTimer == nil {
            settleTimer = LoopTimer(on: loop, every: Self.settleInterval) { [unowned self] in checkSettled() }
        }
    }

    /// A connection's situation changed in a way that may end somebody's waiting.
    func checkSettled() {
        guard !settleWaiters.isEmpty else { return }
        let now = MonotonicClock.now
        guard now > settleDeadline || !connections.values.contains(where: { $0.machine.isUndecided(now) }) else {
            return
        }
        let waiters = settleWaiters
        settleWaiters = []
        settleTimer = nil
        for waiter in waiters { waiter() }
    }

    /// Ends every connection; each is observed as ended by the gate. New ones are turned away until the next plan.
    func endConnections() {
        isBetweenTrials = true
        for connection in Array(connections.values) { connection.handle(.trialEnded) }
        for connection in Array(siteConnections.values) { connection.close() }
    }

    var connectionCount: Int { connections.count }

    /// Bytes held for the slowest peer of all connections.
    var heaviestBacklog: Int { connections.values.map { max($0.client.held, $0.origin?.held ?? 0) }.max() ?? 0 }
}
