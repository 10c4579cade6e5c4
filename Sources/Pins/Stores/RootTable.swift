import Facts

/// Public root CAs, and the stores of phones and browsers that have each of them.
///
/// The text has `# organisation`, then a line for each key: SPKI SHA-256 in base64 without padding, the API levels of
/// Android and the versions of iOS whose store has it (`25-`: from there on, `24-33,36`, `.`: none), the day on which
/// Mozilla's schedule takes the websites bit away (`.`: it is not in that store), the last day of the certificate, and
/// the name (on a line of its own where it is long). A key is in a store where a certificate of it is.
///
/// Made from AOSP's `platform/system/ca-certificates` (API 24: the tree of 2016-03-21; 25: 2016-08-29; 29 and 30: the
/// updates for Q and R; else the release's tag), Apple's pages "List of available trusted root certificates" of iOS 12,
/// 12.1.3, 13, 14, 15, 15.1, 16, 16.5, 17, 18 and 26 (support.apple.com), and Mozilla's `certdata.txt` of 2026-07-19; the
/// last two and most of the first as github.com/nabla-c0d3/trust_stores_observatory records them. The keys are computed
/// from the certificates. The day for Mozilla follows from the certificate's first one by the schedule of
/// wiki.mozilla.org/CA/Root_CA_Lifecycles. Chrome's store is not here: apps do not use it. What the oldest list has may be
/// older.
enum RootTable {
    /// When the lists were looked at.
    static let checked = CalendarDate(year: 2026, month: 7, day: 19)
    static let androidLevels = 24...37
    static let appleVersions = [12, 13, 14, 15, 16, 17, 18, 26]

    static func roots(in text: String) -> [KnownRoot] {
        var roots: [KnownRoot] = []
        var organisation = ""
        var pending: KnownRoot?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                organisation = String(line.dropFirst(2))
            } else if line.hasPrefix("  ") {
                pending?.name = String(line.dropFirst(2))
                if let root = pending { roots.append(root) }
                pending = nil
            } else if let root = root(line, organisation) {
                if root.name.isEmpty { pending = root } else { roots.append(root) }
            }
        }
        return roots
    }

    private static func root(_ line: Substring, _ organisation: String) -> KnownRoot? {
        let parts = line.split(separator: " ", maxSplits: 5)
        guard parts.count >= 5, let key = Base64.decoded(Array(parts[0].utf8)[...] + [UInt8(ascii: "=")]),
            let last = CalendarDate(parts[4])
        else { return nil }
        return KnownRoot(
            organisation: organisation, name: parts.count > 5 ? String(parts[5]) : "", key: key,
            android: versions(parts[1]), apple: versions(parts[2]), mozillaUntil: CalendarDate(parts[3]), notAfter: last
        )
    }

    private static func versions(_ text: Substring) -> [ClosedRange<Int>] {
        text.split(separator: ",").compactMap { part in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }) else { return nil }
            guard ends.count > 1 else { return first...first }
            return first...max(first, Int(ends[1]) ?? Int.max)
        }
    }
}
