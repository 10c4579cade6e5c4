import Facts

/// L24: two files of the app pin different keys for one host.
enum PlatformsDiffer: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L24", "platforms-differ", .note, "The platforms pin different keys",
        why:
            "Pins that are kept in several places drift apart. On rotation day one platform locks users out, and the other does not; or one was never pinned.",
        fix: "Keep one list and write every format from it: `pinproof pins export`, `pinproof pins sync --check`.")

    static func findings(_ context: LintContext) -> [LintFinding] {
        let sides = context.appFiles.filter { $0.hosts.contains { $0.isPinned && $0.domain != nil } }
        let hosts = Set(
            sides.flatMap(\.hosts).filter { $0.isPinned && $0.reach.contains(.itself) }.compactMap(\.domain))
        return hosts.sorted().prefix(LintContext.hostLimit).flatMap { host -> [LintFinding] in
            var found: [LintFinding] = []
            var first: (file: LintFile, pins: EffectivePins)?
            for file in sides {
                for pins in file.effective(host) where pins.isPinned && pins.pinsKnown && pins.isComparable {
                    guard let before = first else {
                        first = (file, pins)
                        continue
                    }
                    if let finding = difference(host, before, (file, pins)) { found.append(finding) }
                }
            }
            return found + unpinned(host, sides)
        }
    }

    private static func difference(
        _ host: String, _ a: (file: LintFile, pins: EffectivePins), _ b: (file: LintFile, pins: EffectivePins)
    ) -> LintFinding? {
        let here = b.pins.keys
        let there = a.pins.keys
        guard here != there, let entry = b.pins.entries.first(where: \.isPinned) else { return nil }
        let missing = there.subtracting(here).map { "sha256/" + Base64.encode($0) }.sorted()
        let added = here.subtracting(there).map { "sha256/" + Base64.encode($0) }.sorted()
        let where_ = a.file.path == b.file.path ? "the \(a.pins.format.rawValue) pins of this file" : a.file.path
        let words = [
            missing.isEmpty ? nil : "lacks \(English.some(missing))",
            added.isEmpty ? nil : "has \(English.some(added)) more",
        ].compactMap(\.self)
        return finding(
            in: b.file, line: entry.line, host: host,
            "\(host) is pinned differently than in \(Printable.excerpt(where_)): this one \(English.list(words))",
            fix: "write both from one list: pinproof pins sync --check FILES…")
    }

    /// Pinned on one platform, and on the other not at all.
    private static func unpinned(_ host: String, _ sides: [LintFile]) -> [LintFinding] {
        func family(_ file: LintFile) -> String? {
            switch file.format {
            case .androidNSC, .okHttp, .cronet: "Android"
            case .appleATS, .alamofire, .afNetworking: "iOS"
            default: nil
            }
        }
        let families = Dictionary(grouping: sides.filter { family($0) != nil }) { family($0) ?? "" }
        guard families.count == 2, let pinned = families.first(where: { $0.value.contains { $0.isPinned(host) } })?.key,
            let other = families.keys.first(where: { $0 != pinned }), let files = families[other],
            !files.contains(where: { $0.isPinned(host) }),
            let file = families[pinned]?.first(where: { $0.isPinned(host) }),
            let entry = file.effective(host).first?.entries.first
        else { return [] }
        return [
            finding(
                in: file, line: entry.line, host: host,
                "\(host) is pinned on \(pinned), and on \(other) not",
                fix: "add it to \(English.some(files.map { Printable.excerpt($0.path) })), or take it out here")
        ]
    }
}

extension EffectivePins {
    /// Only hashes of keys can be compared with each other.
    fileprivate var isComparable: Bool { pins.allSatisfy { $0.kind == .spkiSHA256 } && !keys.isEmpty }
    fileprivate var keys: Set<[UInt8]> { Set(pins.compactMap(\.digest)) }
}
