import Facts

extension PinSync {
    /// For a terminal: a line for each disagreement, where it is to be mended, and a last one that sums up.
    package var text: String {
        var out = ""
        for found in disagreements { out += found.sentence + "\n" }
        let bad = hosts.filter(\.disagrees).count
        let count = English.count(hosts.count, "host")
        if bad > 0 { return out + "\(bad) of \(count): the files disagree\n" }
        guard isUnclear else { return out + "\(count) and the files agree\n" }
        var reasons: [String] = []
        let unclear = hosts.filter(\.isUnclear).count
        if unclear > 0 { reasons.append("\(unclear) of \(count) with pins that are not at hand") }
        if !nameless.isEmpty {
            reasons.append("\(English.count(nameless.count, "entry", plural: "entries")) without a host")
        }
        guard !reasons.isEmpty else { return out + "nothing could be compared: \(whyNot)\n" }
        return out + "it cannot be said whether the files agree: \(English.list(reasons))\n"
    }

    /// What is missing for a comparison.
    private var whyNot: String {
        if hosts.isEmpty { return "no host is named in any of the files" }
        guard hosts.contains(where: { $0.stacks.contains(where: \.isPinned) }) else {
            return "no host is pinned in any of the files"
        }
        return parties < 2 ? "one file alone says for which hosts it has pins" : "no two files pin the same host"
    }
}

extension PinDisagreement {
    /// `error: nsc.xml:7: lacks …`
    fileprivate var sentence: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(severity.rawValue): \(Printable.excerpt(place, limit: 400)): \(Printable.excerpt(text, limit: 1_000))"
    }
}
