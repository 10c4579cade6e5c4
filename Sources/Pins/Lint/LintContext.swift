import Facts

/// The files and the situation, with what several rules ask of them.
struct LintContext: Sendable {
    /// Hosts that are looked at one by one; an app has a few, and each costs a look into every file.
    static let hostLimit = 2000

    let situation: LintSituation
    let files: [LintFile]
    /// Those whose entries an app enforces.
    let appFiles: [LintFile]
    let profiles: [LintFile]
    /// Hosts that the app's files name and no file of them pins, with the first file's path.
    let namedHosts: [String: String]

    var today: CalendarDate { situation.today }

    init(_ files: [PinFile], _ situation: LintSituation) {
        self.situation = situation
        self.files = files.map(LintFile.init)
        profiles = self.files.filter { $0.format == .profile }
        appFiles = self.files.filter { $0.format != .profile }
        namedHosts = Self.namedHosts(appFiles)
    }

    private static func namedHosts(_ files: [LintFile]) -> [String: String] {
        guard files.count > 1 else { return [:] }
        var named: [String: String] = [:]
        for file in files {
            let unpinned = file.hosts.filter { !$0.isPinned }.compactMap(\.domain)
            for host in file.settings.compactMap(\.host) + file.file.namedHosts + unpinned
            where named[host] == nil && named.count < hostLimit {
                named[host] = file.path
            }
        }
        return named.filter { host, _ in !files.contains { $0.isPinned(host) } }
    }

    /// Files whose pins are looked at: a profile only says again what the app's own files say, where there are some.
    var pinFiles: [LintFile] { appFiles.contains { !$0.hosts.isEmpty } ? appFiles : files }

    /// What a profile says of a host; nil where none says something.
    func profileEntry(_ host: String) -> DeclaredHost? {
        for profile in profiles {
            if let entry = profile.effective(host).first?.entries.first { return entry }
        }
        return nil
    }

    /// Somebody has said that this host is not pinned, on purpose.
    func isKnownUnpinned(_ host: String) -> Bool { profileEntry(host).map { !$0.isPinned } ?? false }

    /// Chains of hosts whose pins this entry gives, by host.
    func chains(_ entry: DeclaredHost) -> [(host: String, chain: [GenuineCertificate])] {
        situation.chains.filter { entry.covers($0.key) && !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// Chains of any of these domains, or of hosts below them.
    func chains(near domains: [String]) -> [(host: String, chain: [GenuineCertificate])] {
        situation.chains.filter { host, chain in
            !chain.isEmpty && domains.contains { host == $0 || host.hasSuffix("." + $0) }
        }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The pin is of a CA: by its list, by the list of public roots, by the calendar, or by a chain at hand.
    func isKnownCA(_ pin: DeclaredPin) -> Bool {
        if pin.part == .ca { return true }
        guard let digest = pin.digest else { return false }
        if pin.kind == .spkiSHA256, KnownRoot.of(key: digest) != nil || !CACalendar.events(key: digest).isEmpty {
            return true
        }
        var anywhere = pin
        anywhere.part = .ca
        return situation.chains.values.contains { $0.contain(anywhere) == true }
    }
}
