import Authority
import Console
import Evidence
import Facts
import Filters
import Loop
import Policy
import Profiles
import Proxy
import Store
import TLS

/// The debugging proxy: intercepts, notes, and gives no verdict.
package struct ProxySession: Sendable {
    package struct Options: Sendable, Hashable {
        /// nil: every host is intercepted.
        package var profile: String?
        package var listen: Endpoint
        /// `--open`: clients from public addresses may use it.
        package var isOpen = false
        package var ca: CAChoice = .folder(CAChoice.projectFolder)
        package var evidence: String?
        package var readyFile: String?
        package var loops: Int
        /// `--idle`, in seconds; nil: silence ends nothing.
        package var idle: Double?
        /// `--upstream-proxy`, instead of the profile's.
        package var upstreamProxy: UpstreamProxy?
        /// `--keylog`
        package var keyLog: String?
        /// `--pcapng`
        package var packets: String?
        package var recording = RecordingOptions(store: nil)
        /// The file of filters and mutes that were saved.
        package var savedFilters: String?
        /// Where page and API listen.
        package var page: Endpoint?
        /// `--ui` has said so: another port is none of the user's.
        package var isPageNamed = false
        /// `--qr`: a code for phones is shown.
        /// nil: where a person sees it, and devices can come in.
        package var wantsCode: Bool?
        /// The terminal takes colours.
        package var hasColour = false

        package init(listen: Endpoint, loops: Int) {
            self.listen = listen
            self.loops = loops
        }
    }

    /// Starts what serves page and API.
    package typealias PageMaker = @Sendable (PageRequest) async throws -> any PageService

    /// Makes what the proxy answers itself, for who sets a device up.
    package typealias SiteMaker = @Sendable (Onboarding) -> OwnSite

    package let options: Options
    package let console: Console
    package let interruption: Interruption
    let makePage: PageMaker
    let makeSite: SiteMaker

    package init(
        _ options: Options, console: Console, interruption: Interruption, page: @escaping PageMaker,
        site: @escaping SiteMaker
    ) {
        self.options = options
        self.console = console
        self.interruption = interruption
        makePage = page
        makeSite = site
    }

    /// Runs until it is interrupted.
    package func run() async throws {
        let outputs = OutputPaths(options)
        try outputs.requireDifferent()
        try outputs.requireFolders()
        let loaded = try options.profile.map { path throws(ProfileErrors) in try ProfileLoader.load(path: path) }
        if let loaded { try ProfileFilters.check(loaded, now: WallClock.now) }
        let profile = loaded?.profile ?? Profile(name: "everything", others: .accept)
        let listen = try ListenAddress(options.listen)
        try DescriptorLimit.require(
            DescriptorNeed.proxy(
                loops: options.loops, listeners: 1 + profile.clientListens().count,
                records: options.recording.recordsAnything))
        options.readyFile.map(ReadyFile.clear)
        let trust = try TrustStore.forOrigins(of: profile)
        let own = try ClientIdentities.read(for: profile, environment: Terminal.environment, now: WallClock.now)
        let ca = try ForgingCA.open(options.ca, now: WallClock.now)
        try ca.requireScope(forDebugging: profile)

        let router = ObservationRouter()
        let traffic = TrafficWatch(isRecorded: options.recording.recordsAnything)
        var configuration = ProxyConfiguration(
            listen: listen.socket, clientListens: try profile.clientListens(), loops: options.loops,
            plan: Plan(profile: profile, phase: .debugging),
            trust: trust, material: try ForgeMaterial(ca.authority), observe: { router.deliver($0) })
        configuration.isOpen = options.isOpen
        configuration.idleLimit = options.idle
        configuration.upstreamProxy = options.upstreamProxy
        configuration.identities = own.identities
        let onboarding = Onboarding(ca, listening: listen.socket.address)
        configuration.site = makeSite(onboarding)
        for warning in own.warnings { console.warn(warning) }
        let keys = try options.keyLog.map { [console] path in
            try KeyLogFile(path) { console.warn("warning: \($0)") }
        }
        defer { keys?.close() }
        let packets = try options.packets.map { [console] path in
            try PacketLog(path) { console.warn("warning: \($0)") }
        }
        var isUp = false
        defer { if !isUp { packets?.giveBack() } }
        defer { close(packets) }
        configuration.wire = packets
        if keys != nil || packets != nil {
            configuration.keyLog = { leg, line in
                keys?.add(line)
                if leg == .client { packets?.add(secret: line) }
            }
        }
        if let store = options.recording.store { try FlowStore.require(path: store) }
        let (page, words) = try await startPage()
        // Nobody reaches page and API through the proxy, whatever name is asked for.
        configuration.forbidden = page.map { [$0.address] } ?? []
        let recording: ProxyRecording?
        do {
            recording =
                try options.recording.recordsAnything
                ? ProxyRecording(options.recording, mutes: mutes(loaded), console: console) { changes in
                    traffic.note(changes)
                    page?.note(changes)
                } : nil
        } catch {
            await page?.close()
            throw error
        }
        configuration.tap = recording?.tap
        configuration.othersDescriptors =
            (page?.descriptors ?? 0) + (recording?.store == nil ? 0 : FlowStore.readersDescriptors)
        // A store that cannot be read says so when it is written.
        configuration.lastConnection = (try? recording?.store?.lastConnection()) ?? 0
        let server: ProxyServer
        do { server = try ProxyServer(configuration) } catch {
            await page?.close()
            await recording?.finish(console)
            throw error
        }
        // Not before everything else that may fail.
        words.say(on: console)
        let evidence: EvidenceWriter?
        do {
            evidence = try start(profile, loaded?.text, ca, server, router, recording, traffic, page)
        } catch {
            await page?.close()
            await server.stop()
            await recording?.finish(console)
            throw error
        }
        await page?.open(pageContext(loaded, recording, server, configuration.plan, onboarding))
        isUp = true
        packets?.keep()
        say(listen, ca, server, ClientAccess(profile, server), page, onboarding)
        var why = WhyNothing(
            profile: profile, listening: server.address.endpoint, machine: LocalAddresses.current(),
            hasStore: options.recording.store != nil, began: MonotonicClock.now)
        await wait(evidence, server, traffic, &why)
        await server.stop()
        await page?.close()
        await recording?.finish(console)
        traffic.tell(why.atEnd(traffic.seen), "nothing was intercepted", console)
        evidence?.close()
        if let fault = evidence?.fault { throw Complaint(fault, status: .invalid) }
    }

    /// What the terminal is not told of. Those that need bodies are left to `flows list`, which has them.
    private func mutes(_ loaded: LoadedProfile?) -> Filter? {
        do {
            var book = loaded.map(ProfileFilters.book) ?? FilterBook()
            if let saved = options.savedFilters { book = book.joined(with: try SavedFilters(saved).read()) }
            return try book.muted(now: WallClock.now) { !$0.needsBodies }
        } catch {
            for item in Complaint(error).items { console.warn("warning: nothing is muted: \(item.message)") }
            return nil
        }
    }

    private func start(
        _ profile: Profile, _ text: String?, _ ca: ForgingCA, _ server: ProxyServer, _ router: ObservationRouter,
        _ recording: ProxyRecording?, _ traffic: TrafficWatch, _ page: (any PageService)?
    ) throws -> EvidenceWriter? {
        // Flows at the terminal say the same, and more.
        let log = recording?.showsLines == true && console.loudness < .verbose ? nil : ConnectionLog(console)
        var evidence: EvidenceWriter?
        if let path = options.evidence {
            let writer = try EvidenceWriter(log: path)
            writer.append(.header(header(profile, text ?? "", ca)))
            evidence = writer
        }
        router.route(
            to: ObservationRouter.Sink { [evidence] connection in
                evidence?.append(.connection(connection))
                recording?.note(connection)
                traffic.note(connection)
                log?.note(connection)
            })
        if let file = options.readyFile {
            try ReadyFile.write(
                file, proxy: server.url, ca: rootPath(ca), process: ProcessControl.ownID,
                clients: ClientAccess(profile, server).entries.map { ($0.client, $0.url) },
                inspector: ReadyFile.Inspector(
                    page: page?.url, token: page?.token, store: options.recording.store))
        }
        return evidence
    }

    private func header(_ profile: Profile, _ text: String, _ ca: ForgingCA) -> RunHeader {
        RunHeader(
            pinproof: Version.pinproof, openssl: OpenSSLVersion.text, libevent: EventLoop.libeventVersion,
            started: UTCTime(unix: WallClock.now).rfc3339, profile: profile.name,
            profileSHA256: SHA256.hex(Array(text.utf8)), ca: ca.header, coldStarts: 0, attacks: [],
            options: ["listen": options.listen.description, "loops": String(options.loops)])
    }

    private func say(
        _ listen: ListenAddress, _ ca: ForgingCA, _ server: ProxyServer, _ access: ClientAccess,
        _ page: (any PageService)?, _ onboarding: Onboarding
    ) {
        let exposed = (listen.isExposed ? [server.address.endpoint] : []) + server.exposedListens
        if let warning = ca.warning { console.warn(warning) }
        for address in exposed { console.warn(ListenAddress.warning(at: address, isOpen: options.isOpen)) }
        console.say("proxy  \(server.url)")
        for entry in access.entries { console.say("client \(entry.client): \(entry.shown)") }
        console.say("CA     \(rootPath(ca))" + (ca.isNew ? " (new: clients have to trust it)" : ""))
        // It may come from the environment, where nobody sees it.
        if let upstream = options.upstreamProxy { console.say("upstream proxy \(upstream)") }
        if let store = options.recording.store { console.say("flows  \(store)") }
        if let page { console.say("page   \(page.url)") }
        let device = DeviceLines(
            devices: onboarding.devices(server.endpoint), port: server.address.port, wantsCode: options.wantsCode,
            isTerminal: console.isTerminal, hasColour: options.hasColour, columns: console.width,
            hasUnicode: Terminal.hasUnicode)
        for line in device.lines { console.say(line) }
        console.say("stop it with Ctrl-C")
    }

    private func close(_ packets: PacketLog?) {
        guard let packets else { return }
        packets.close()
        let dropped = packets.dropped
        guard dropped != PacketLog.Dropped() else { return }
        console.warn(
            "warning: \(packets.path): more came than could be written in time: \(English.count(dropped.connections, "connection")) and "
                + "\(dropped.bytes) bytes of others are not in the capture")
    }

    private func rootPath(_ ca: ForgingCA) -> String { ca.rootPath ?? Files.absolute(ca.name) }

    /// Looks after the run, once a second as long as something may have to be told: that a disk has failed, which the
    /// proxy survives, and that nothing is intercepted.
    private func wait(
        _ evidence: EvidenceWriter?, _ server: ProxyServer, _ traffic: TrafficWatch, _ why: inout WhyNothing
    ) async {
        var writer = evidence
        while writer != nil || console.loudness >= .normal && !why.isDone(traffic.seen) {
            guard await interruption.sleep(for: .seconds(1)) else { return }
            if let fault = writer?.fault {
                console.warn("warning: \(fault): no more evidence is written")
                writer = nil
            }
            let reasons = why.due(traffic.seen, open: await server.connectionCount(), at: MonotonicClock.now)
            traffic.tell(reasons, "nothing has been intercepted yet", console)
        }
        await interruption.wait()
    }
}
