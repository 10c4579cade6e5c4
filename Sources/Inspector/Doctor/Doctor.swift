import Authority
import Evidence
import Facts
import Loop

/// Looks at everything that may be in the way of a debug session, and says what to do.
///
///     let report = await Doctor(options).examine()
///
/// It asks this machine, its clients and the proxy; nothing outside, and needs no rights.
package struct Doctor: Sendable {
    package struct Options: Sendable {
        package var proxy: Endpoint
        package var ca: CAChoice
        package var isCANamed: Bool
        package var store: String
        package var isStoreNamed: Bool
        package var environment: [String: String]

        package init(
            proxy: Endpoint, ca: CAChoice, isCANamed: Bool, store: String, isStoreNamed: Bool,
            environment: [String: String]
        ) {
            self.proxy = proxy
            self.ca = ca
            self.isCANamed = isCANamed
            self.store = store
            self.isStoreNamed = isStoreNamed
            self.environment = environment
        }
    }

    /// How it learns of the world; a test has a world of its own.
    struct Senses: Sendable {
        var now: @Sendable () -> Double
        var ask: @Sendable (Endpoint) async -> ProxyAnswer
        var owner: @Sendable (UInt16) -> PortOwner?
        var ca: @Sendable (CAChoice, _ now: Double) -> LocalCA
        var session: @Sendable (_ store: String, _ now: Double) -> SessionReading
        var addedRoots: @Sendable (_ without: String?) -> Set<String>
        var clients: @Sendable (TrustInquiry) async -> [(client: TrustClient, answer: TrustAnswer)]
        var stores: @Sendable (RootStores) async -> RootStores.Found
    }

    let options: Options
    var senses = Senses.real

    package init(_ options: Options) { self.options = options }

    init(_ options: Options, _ senses: Senses) {
        self.options = options
        self.senses = senses
    }

    package func examine() async -> DoctorReport {
        let asked = senses.now()
        let answer = await senses.ask(options.proxy)
        // The clock stands between question and answer.
        let now = (asked + senses.now()) / 2
        let isHere =
            options.proxy.host.text == "localhost"
            || options.proxy.host.address.map { $0.isLoopback || LocalAddresses.current().contains($0) } == true
        let isOurs = answer.about != nil || answer == .nothingListens
        let proxy = ProxyChecks(
            proxy: options.proxy, answer: answer, owner: isOurs || !isHere ? nil : senses.owner(options.proxy.port),
            ca: senses.ca(options.ca, now), isCANamed: options.isCANamed, now: now, version: Version.pinproof)
        // Before clients are asked: what they refuse is recorded as well.
        let session = SessionChecks(
            reading: senses.session(options.store, now), isStoreNamed: options.isStoreNamed,
            addedRoots: senses.addedRoots(proxy.ca.root?.sha256))
        let trust = await trust(proxy)
        return DoctorReport(
            proxy.checks + trust.checks + ShellChecks(environment: options.environment, proxy: options.proxy).checks
                + session.checks, hasUnreadable: proxy.isCAUnreadable || session.isStoreUnreadable)
    }

    private func trust(_ proxy: ProxyChecks) async -> TrustChecks {
        let runner = ProgramRunner(environment: options.environment)
        let sha256 = proxy.answer.about?.ca?.sha256 ?? proxy.ca.root?.sha256
        var checks = TrustChecks()
        if let root = proxy.ca.root, root.sha256 == sha256 {
            checks.root = TrustChecks.shellPath(root.rootPath, home: options.environment["HOME"])
        }
        if proxy.answer.about == nil {
            checks.whyNot = "no pinproof is reached on \(options.proxy)"
        } else {
            checks.clients = await senses.clients(
                TrustInquiry(proxy: options.proxy, runner: runner, hasGoodDates: proxy.hasGoodDates, sha256: sha256))
        }
        if let sha256 {
            let found = await senses.stores(RootStores(runner: runner, sha256: sha256))
            checks.stores = found.stores
            checks.missingStores = found.missing
        }
        return checks
    }
}

extension Doctor.Senses {
    static let real = Doctor.Senses(
        now: { WallClock.now }, ask: { await ProxyQuestion.ask($0) }, owner: { PortOwner.find($0) },
        ca: { LocalCA.look($0, now: $1) }, session: { SessionReading.read($0, now: $1) },
        addedRoots: { AddedRoots.subjects(without: $0) },
        clients: { inquiry in
            await inquiry.ask { TrustClient.all(through: inquiry.proxy, folder: $0) }
        }, stores: { await $0.look() })
}
