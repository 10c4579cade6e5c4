import Facts
import Loop
import Policy
import TLS
import Wire

/// Everything of the proxy that lives on one loop: its connections, contexts, caches and the plan in force.
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
    private var fingerprints = FingerprintCache()
    private(set) var clientContext: ClientContext
    private(set) var plan: Plan
    private(set) var trial: TrialMemory
    /// The plan's, by what they are told by.
    private(set) var clients: ClientDirectory

    private var connections: [ObjectIdentifier: Connection] = [:]
    private var accepted: UInt64 = 0
    private let index: UInt64
    private let stride: UInt64
    private var listeners: [Listener] = []
    private var turn = 0
    private var isBetweenTrials = false
    private var lastPresented: PresentedChain?
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

    init(loop: EventLoop, configuration: ProxyConfiguration, trial: TrialMemory, index: Int) throws {
        self.loop = loop
        serverContext = try ServerContext()
        clientContext = try ClientContext(trust: configuration.trust)
        forge = Forge(configuration.material)
        observe = configuration.observe
        wasPresented = configuration.presented
        ends = configuration.ends
        plan = configuration.plan
        self.trial = trial
        clients = ClientDirectory(plan.profile.clients)
        self.index = UInt64(index)
        stride = UInt64(configuration.loops)
        sweeper = LoopTimer(on: loop, every: Self.sweepInterval) { [unowned self] in sweep() }
    }

    // MARK: Listening

    /// Only on the first loop: takes connections and says where each one goes. May be called for several addresses.
    ///
    /// - Parameter place: called with a number that counts up, and the socket.
    func listen(at address: SocketAddress, _ place: @escaping (Int, AcceptedSocket) -> Void) throws(SystemError)
        -> SocketAddress
    {
        let listener = try Listener(on: loop, at: address) { [unowned self] socket in
            place(turn, socket)
            turn += 1
        }
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
    func adopt(_ socket: AcceptedSocket, listener: String? = nil) {
        if let ends, let local = socket.localAddress { ends(.accepted(at: local.endpoint)) }
        // The socket closes itself: a client that is being ended must not leave the picture of a refusal behind.
        guard !isBetweenTrials else { return }
        // Numbers are unique over all loops without a shared counter.
        let number = accepted * stride + index + 1
        accepted += 1
        let destination = socket.originalDestination
        guard let stream = TCPStream(on: loop, accepted: socket) else { return }
        let connection = Connection(
            Arrival(stream: stream, listener: listener, originalDestination: destination), number: number, worker: self)
        connections[ObjectIdentifier(connection)] = connection
        connection.begin()
    }

    /// What makes the sessions of an offer; `.resumable` is the trial's.
    func serverContext(_ kind: ServerContext.Kind) throws(OpenSSLError) -> ServerContext {
        if kind == .standard { return serverContext }
        if let made = rareContexts[kind] { return made }
        let made = try ServerContext(kind)
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
        wasPresented(chain)
    }

    func finished(_ connection: Connection, _ observation: Observation) {
        connections[ObjectIdentifier(connection)] = nil
        observe(observation)
        checkSettled()
    }

    private func sweep() {
        for connection in Array(connections.values) { connection.tick() }
    }

    // MARK: The gate's side

    /// Connections accepted from now on follow `plan`.
    func apply(_ plan: Plan, _ trial: TrialMemory, trust: TrustStore?) throws {
        if let trust { clientContext = try ClientContext(trust: trust) }
        self.plan = plan
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
    }

    var connectionCount: Int { connections.count }

    /// Bytes held for the slowest peer of all connections.
    var heaviestBacklog: Int { connections.values.map { max($0.client.held, $0.origin?.held ?? 0) }.max() ?? 0 }
}
