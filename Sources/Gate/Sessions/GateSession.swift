import Authority
import Capture
import Console
import Evidence
import Facts
import Loop
import Policy
import Profiles
import Proxy
import Report
import TLS
import Verdict

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One gate from command line to exit status: prepares, runs trials, judges, reports.
package struct GateSession: Sendable {
    /// Shows that this gate can tell a pinned client from an unpinned one, through the very proxy of the run.
    package typealias SelfTest =
        @Sendable (ProxyServer, ObservationRouter, CertificateAuthority) async -> SelfTestResult

    /// What a plain browser finds at the proxy's own address.
    package typealias SiteMaker = @Sendable (Onboarding) -> OwnSite

    /// What an app's file says of itself; nil where it is no app. Throws where it should be one, and is broken.
    package typealias AppLook = @Sendable (_ path: String) throws -> RunHeader.Artefact.App?

    package let options: GateOptions
    package let printer: ResultPrinter
    package let interruption: Interruption
    package let selfTest: SelfTest
    /// Lets the last way out take COMMAND along.
    package let running: RunningCommand
    /// Waits for Enter; nil where nobody sits at a terminal.
    package let enter: (@Sendable () async -> Bool)?
    /// For a person with a device in hand; COMMAND is given the CA.
    private let makeSite: SiteMaker?
    private let look: AppLook

    package init(
        _ options: GateOptions, printer: ResultPrinter, interruption: Interruption, selfTest: @escaping SelfTest,
        running: RunningCommand = RunningCommand(), enter: (@Sendable () async -> Bool)? = nil, site: SiteMaker? = nil,
        look: @escaping AppLook = { _ in nil }
    ) {
        self.look = look
        self.running = running
        self.options = options
        self.printer = printer
        self.interruption = interruption
        self.selfTest = selfTest
        self.enter = enter
        makeSite = site
    }

    var console: Console { printer.console }

    /// What can be wrong before a run, found out before anything but a new CA is written.
    struct Preparation {
        let loaded: LoadedProfile
        let command: Command?
        let selection: AttackSelection
        /// Those of the selection that can be presented.
        let attacks: [Attack]
        let coldStarts: Int
        let controls: [EvidenceFile]
        let baseline: Baseline?
        let ca: ForgingCA
        let anchors: DeclaredAnchors
        let trust: TrustStore
        let lent: LentMaterials
        /// Chains of the team's own, in a rehearsal.
        let chains: [RehearsedChain]
        let listen: ListenAddress
        let watch: NetworkWatch?
        let artefacts: [RunHeader.Artefact]
        /// What the operator should know of the CA and of what is lent.
        let warnings: [String]

        var profile: Profile { loaded.profile }

        func scheduler(_ terms: Terms) -> Scheduler {
            Scheduler(
                profile: profile, attacks: attacks, coldStarts: coldStarts, named: selection.named,
                controls: controls.map(\.evidence), terms: terms)
        }
    }

    package func run() async throws -> ExitStatus {
        let ready = try prepare()
        let router = ObservationRouter()
        let material = try ForgeMaterial(ready.ca.authority, lent: ready.lent)
        let keys = try AttackKeys(material)
        defer { keys.cancel() }
        let served = ServedPins(ready.profile)
        var configuration = ProxyConfiguration(
            listen: ready.listen.socket, clientListens: try ready.profile.clientListens(), loops: Self.loops,
            plan: Plan(profile: ready.profile, phase: .passthrough), trust: ready.trust,
            material: material, observe: { router.deliver(served.marked($0)) },
            presented: { router.present($0) }, ends: ready.watch?.noting)
        configuration.isOpen = options.isOpen
        let onboarding = Onboarding(ready.ca, listening: ready.listen.socket.address)
        if ready.command == nil { configuration.site = makeSite?(onboarding) }
        configuration.readers = { served.reader(of: $0, $1) }
        let server = try ProxyServer(configuration)
        ready.watch?.ignore(server.address.endpoint)
        do {
            let status = try await run(ready, server, router, keys, onboarding)
            await server.stop()
            return status
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Each loop forges for itself, and a genuine server shows the same certificate on each connection: so there is one. A
    /// client in a test makes few connections at a time, and keys that take long are made elsewhere.
    static let loops = 1

    // MARK: before the run

    private func load() throws -> LoadedProfile {
        if case .draft(let path, let ground) = options.course {
            if let path, Files.exists(path) { throw GateError.profileExists(path) }
            return try ProfileLoader.parse(text: ground.everything, path: DraftProfile.name)
        }
        let loaded = try ProfileLoader.load(path: options.profile)
        try loaded.requireGateable()
        return loaded
    }

    private func prepare() throws -> Preparation {
        let loaded = try load()
        let profile = loaded.profile
        let listen = try ListenAddress(options.listen)
        try DescriptorLimit.require(DescriptorNeed.gate(listeners: 1 + profile.clientListens().count))
        let command = options.command.isEmpty ? nil : try Command(options.command)
        let selection = try options.attackSelection(for: profile)
        let controls = try options.evidenceFrom.map { try EvidenceFile.read($0) }
        let baseline = try options.baseline.baseline()
        let trust = try TrustStore.forOrigins(of: profile)
        var lent = try LentReader.read(for: profile, now: WallClock.now)
        let chains = try options.rehearsal.map { try $0.read(for: profile, trust) } ?? []
        for chain in chains { lent.rehearsed[chain.name] = chain.presented }
        let watch = options.watchesNetwork ? try NetworkWatch(profile: profile) : nil
        let artefacts = try ArtefactFile.read(options.artefacts, look: look)
        // Last, because it may make a CA: a mistyped command must not leave one behind.
        let ca = try ForgingCA.open(options.ca, now: WallClock.now)
        try ca.requireScope(for: profile)
        let presentable = ca.presentable(options.share(of: selection.attacks, for: profile), for: profile, lent: lent)
        return Preparation(
            loaded: loaded, command: command, selection: selection, attacks: presentable.attacks,
            coldStarts: options.ownColdStarts(for: profile), controls: controls, baseline: baseline, ca: ca,
            anchors: try DeclaredAnchors(profile, ca.authority), trust: trust, lent: lent, chains: chains,
            listen: listen, watch: watch,
            artefacts: artefacts,
            warnings: [command?.doubt, ca.warning, options.outlook(for: profile), options.clockDoubt].compactMap(\.self)
                + lent.warnings
                + presentable.warnings)
    }

    // MARK: the run

    private func run(
        _ ready: Preparation, _ server: ProxyServer, _ router: ObservationRouter, _ keys: AttackKeys,
        _ onboarding: Onboarding
    ) async throws -> ExitStatus {
        options.readyFile.map(ReadyFile.clear)
        let started = WallClock.now
        let folder =
            try options.out.map { try RunFolder.create(at: $0) }
            ?? RunFolder.create(under: "runs", profile: ready.profile.name, startedAt: started)
        let evidence: EvidenceWriter
        let caPath: String
        let access = ClientAccess(ready.profile, server)
        do {
            caPath = try fill(folder, ready)
            evidence = try EvidenceWriter(path: folder.evidence)
            if let file = options.readyFile {
                try ReadyFile.write(
                    file, proxy: server.url, ca: caPath, process: ProcessControl.ownID,
                    clients: access.entries.map { ($0.client, $0.url) })
            }
        } catch {
            folder.discard()
            throw error
        }
        let guide = Guide(
            proxy: server.address.endpoint, url: server.url, ca: caPath, isNewCA: ready.ca.isNew,
            isExposed: ready.listen.isExposed, isOpen: options.isOpen, run: folder.path,
            hasCommand: ready.command != nil, devices: onboarding.devices(server.endpoint),
            code: GuideCode(console), clients: access.entries, exposedListens: server.exposedListens)
        for line in ready.warnings + guide.warnings { console.warn(line) }
        for line in guide.lines { console.say(line) }

        let driver = driver(ready, folder, access, ca: caPath)
        let end = await runner(ready, server, router, evidence, driver, folder, keys).run(header(ready, started))
        folder.removeKeptStates()
        switch options.course {
        case .whole: return report(ready, evidence, end, folder)
        case .check: return try tell(ready, evidence, end, folder)
        case .draft(let path, let ground): return try draft(ground, to: path, ready, evidence, end, folder)
        case .rehearsal(let rehearsal): return try tell(rehearsal, ready, evidence, end, folder)
        }
    }

    /// Puts in what is known before the run; returns the path of the root's PEM.
    private func fill(_ folder: RunFolder, _ ready: Preparation) throws(FileError) -> String {
        try folder.keepProfile(ready.loaded.text)
        try folder.keepControls(ready.controls)
        // Judging again from the folder has to come to the same answer.
        if let baseline = ready.baseline {
            try folder.write(String(decoding: BaselineFile.bytes(of: baseline), as: UTF8.self), as: BaselineFile.name)
        }
        if let path = ready.ca.rootPath { return path }
        try folder.write(ready.ca.authority.root.pem, as: "ca.pem")
        return folder.ca
    }

    private func driver(_ ready: Preparation, _ folder: RunFolder, _ access: ClientAccess, ca: String)
        -> any TrialDriver
    {
        if let command = ready.command {
            return CommandDriver(
                CommandRunner(command, timeLimit: .seconds(options.attemptTimeout), running: running),
                environment: CommandEnvironment(
                    proxy: access.main, ca: ca, run: folder.path, setsProxyVariables: options.setsProxyVariables,
                    clients: access.entries.isEmpty ? nil : access.json),
                folder: folder, interruption: interruption, keepsState: options.keepsState)
        }
        let pace: PhaseDriver.Pace =
            if let seconds = options.phaseSeconds { .seconds(seconds) } else if let enter { .enter(enter) } else {
                .seconds(GateOptions.defaultPhaseSeconds)
            }
        return PhaseDriver(pace, console: console, interruption: interruption)
    }

    private func runner(
        _ ready: Preparation, _ server: ProxyServer, _ router: ObservationRouter, _ evidence: EvidenceWriter,
        _ driver: any TrialDriver, _ folder: RunFolder, _ keys: AttackKeys
    ) -> GateRunner {
        let (selfTest, authority) = (self.selfTest, ready.ca.authority)
        let probes = OriginProbes(ready.profile, trust: ready.trust)
        return GateRunner(
            profile: ready.profile, proxy: ServerControl(server: server, trust: ready.trust, keys: keys),
            router: router, evidence: evidence, driver: driver,
            scheduler: scheduler(ready),
            selfTest: { await selfTest(server, router, authority) },
            progress: ProgressLine(
                console: console, secondsPerTrial: driver.secondsPerTrial, style: driver.progressStyle),
            interruption: interruption, watch: ready.watch,
            chains: PresentedChains(folder: folder, evidence: evidence).keep, remarks: remarks(ready),
            origins: {
                let answers = await probes.ask()
                keys.expect(answers.keys)
                return answers
            })
    }

    private func scheduler(_ ready: Preparation) -> any TrialScheduling {
        if let rehearsal = options.rehearsal { return RehearsalScheduler(plan(rehearsal, ready)) }
        let scheduler = EvidenceScheduler(scheduler: ready.scheduler(options.terms))
        return options.course == .whole ? scheduler : FirstTwo(inner: scheduler)
    }

    /// `check` and `init` tell the same at their end, and a person is told after every phase.
    private func remarks(_ ready: Preparation) -> @Sendable ([EvidenceRecord]) -> [String] {
        guard options.course == .whole, ready.command != nil else { return { _ in [] } }
        let scheduler = ready.scheduler(options.terms)
        let profile = ready.profile
        let hasTwin = !ready.controls.isEmpty
        return { records in
            let seen = RunEvidence(records)
            return FirstStart.warnings(
                FirstLook(seen, profile: profile), profile: profile, hasTwin: hasTwin,
                typical: scheduler.typicalCount(after: seen))
        }
    }

    private func header(_ ready: Preparation, _ started: Double) -> RunHeader {
        var words = [
            "listen": ready.listen.socket.description, "ca": ready.ca.name,
            "formats": options.formats.map(\.rawValue).joined(separator: ","),
        ]
        if let command = ready.command {
            words["command"] = command.words.joined(separator: " ")
            words["attempt_timeout"] = String(options.attemptTimeout)
            words["proxy_env"] = options.setsProxyVariables ? "set" : "left alone"
            words["state"] = options.keepsState ? "kept" : "new in each start"
        } else {
            words["phase_seconds"] = options.phaseSeconds.map { String($0) } ?? "default"
        }
        if !ready.profile.clients.isEmpty {
            words["clients"] = ready.profile.clients.map(\.name).joined(separator: ", ")
        }
        words["retries"] = String(options.terms.retries)
        if options.terms.keepsGoing { words["keep_going"] = "yes" }
        if options.terms.isExhaustive { words["exhaustive"] = "yes" }
        if let seconds = options.terms.seconds { words["max_minutes"] = String(seconds / 60) }
        if !options.evidenceFrom.isEmpty { words["evidence_from"] = options.evidenceFrom.joined(separator: ", ") }
        var header = RunHeader(
            pinproof: Version.pinproof, openssl: OpenSSLVersion.text, libevent: EventLoop.libeventVersion,
            started: UTCTime(unix: started).rfc3339, profile: ready.profile.name,
            profileSHA256: SHA256.hex(Array(ready.loaded.text.utf8)), ca: ready.ca.header,
            coldStarts: ready.coldStarts, attacks: ready.attacks.map(\.id),
            variants: ready.attacks.flatMap { attack in attack.variants.map(attack.name(of:)) },
            run: UUID().uuidString.lowercased(), labels: options.labels, anchors: ready.anchors.recorded,
            lentKeys: ready.lent.backupPins, watchesNetwork: ready.watch != nil, options: words)
        header.artefacts = ready.artefacts
        if let shard = options.shard {
            header.shard = shard
            let coldStarts = options.coldStarts(for: ready.profile)
            header.planColdStarts = coldStarts
            let plan = Shard.plan(of: ready.selection.attacks, coldStarts: coldStarts)
            header.plan = SHA256.hex(Array("\(Version.pinproof)\n\(plan)".utf8))
        }
        header.profileFile = ProfilePath.inRepository(ready.loaded.path)
        return header
    }

    // MARK: after the run

    private func report(
        _ ready: Preparation, _ evidence: EvidenceWriter, _ end: RunEnd, _ folder: RunFolder
    ) -> ExitStatus {
        var records = evidence.records
        // Where the disk failed, the last line is not in the file; the verdict has to know of it all the same.
        if case .runEnded = records.last {} else { records.append(.runEnded(end)) }
        let run = RunEvidence(records)
        let judgement = Judge.judge(
            profile: ready.profile, runs: [run], controlsFrom: ready.controls.map(\.evidence),
            profileSHA256: SHA256.hex(Array(ready.loaded.text.utf8)), baseline: ready.baseline)
        let judged = Judged(
            input: RunSummary.input(
                judgement, profile: ready.profile.name, runs: [run],
                folders: [options.out ?? Files.relative(folder.path)],
                source: ProfileSource(ready.loaded, path: ProfilePath.inRepository(ready.loaded.path)),
                heads: [evidence.head]),
            baseline: Baseline(judgement))
        var delivery = Delivery()
        // Before it is shown: whoever reads stdout may have stopped reading, and never go on.
        delivery.attempt { try judged.write(options.formats, to: folder.path) }
        delivery.attempt { try options.baseline.keep(judged) }
        let shown = judged.shown(after: delivery)
        delivery.attempt { try printer.show(shown) }
        return delivery.status(of: judged.status, on: console)
    }
}
