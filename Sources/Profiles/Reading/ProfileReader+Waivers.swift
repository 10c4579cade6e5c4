import Facts
import Policy

/// Findings that a team has decided to live with for a while.
extension ProfileReader {
    /// Enough for every kind of finding at several hosts; who needs more wants a baseline.
    static let maxWaivers = 200

    mutating func waivers(_ tree: Tree) -> [Waiver] {
        let entries = entries(tree, of: .key("waivers", .top))
        if entries.count > Self.maxWaivers {
            report(.tooMany("waivers", count: entries.count, limit: Self.maxWaivers), at: tree.place)
        }
        return entries.prefix(Self.maxWaivers).compactMap { waiver($0) }
    }

    private mutating func waiver(_ tree: Tree) -> Waiver? {
        let section = ProfileError.Section.waiver
        guard let fields = fields(tree, of: .entry(of: "waivers", .top), as: .waiver, in: section) else { return nil }
        for key in ["finding", "until", "reason"] where fields[key] == nil && !fields.mistyped.contains(key) {
            report(.missingKey(key, section), at: tree.place)
        }
        let finding = fields["finding"].flatMap { waivedFinding($0) }
        let until = fields["until"].flatMap { date($0) }
        let reason = fields["reason"].flatMap { text($0, of: .key("reason", section)) }
        var host: HostPattern?
        if let tree = fields["host"] {
            guard let text = text(tree, of: .key("host", section), as: .host),
                let pattern = pattern(text, at: tree.place)
            else { return nil }
            host = pattern
        }
        guard let finding, let until, let reason else { return nil }
        return Waiver(finding: finding, host: host, until: until, reason: reason)
    }

    private mutating func waivedFinding(_ tree: Tree) -> String? {
        guard let id = text(tree, of: .key("finding", .waiver)) else { return nil }
        if FindingCatalogue.waivable.contains(id) { return id }
        let fault: ProfileError.WaiverFault =
            if Self.verdictWords.contains(id) {
                .verdict
            } else if FindingCatalogue.kind(id) != nil {
                .ofTheRun
            } else {
                .unknown(nearest: Nearest.word(to: id, among: FindingCatalogue.waivable))
            }
        report(.waiver(id, fault), at: tree.place)
        return nil
    }

    private mutating func date(_ tree: Tree) -> CalendarDate? {
        guard let text = text(tree, of: .key("until", .waiver), as: .date) else { return nil }
        if let date = CalendarDate(text) { return date }
        report(.date(text), at: tree.place)
        return nil
    }

    /// What a host can be called; none of it is a finding.
    private static let verdictWords: Set<String> = [
        "proven-pinned", "not-pinned", "refused-unproven", "accepted", "refused", "tunnelled", "not-exercised",
        "invalid-environment",
    ]
}
