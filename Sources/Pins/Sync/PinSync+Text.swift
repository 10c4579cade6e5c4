import Facts

extension PinSync {
    /// For a terminal: a line for each disagreement, where it is to be mended, and a last one that sums up.
    package var text: String {
        var out = ""
        for found in disagreements { out += found.sentence + "\n" }
        let bad = hosts.filter { !$0.agrees }.count
        guard !hosts.isEmpty else { return out + "no host is named in any of the files\n" }
        out +=
            bad == 0
            ? "\(English.count(hosts.count, "host")) and the files agree\n"
            : "\(bad) of \(English.count(hosts.count, "host")): the files disagree\n"
        return out
    }
}

extension PinDisagreement {
    /// `error: nsc.xml:7: lacks …`
    fileprivate var sentence: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "\(severity.rawValue): \(Printable.excerpt(place, limit: 400)): \(Printable.excerpt(text, limit: 1_000))"
    }
}
