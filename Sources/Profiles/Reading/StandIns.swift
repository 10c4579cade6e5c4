/// Characters that stand in for others, one for one, while YAML is composed.
///
/// So no column moves.
struct StandIns {
    /// Each repeated key costs a parse of its own; who has more of them gets to know after mending these.
    static let maxRepeats = 16

    /// The one of every star of the file.
    static let star: Unicode.Scalar = "\u{E000}"

    private var replaced: [Unicode.Scalar: Unicode.Scalar] = [star: "*"]

    func contains(_ scalar: Unicode.Scalar) -> Bool { replaced[scalar] != nil }

    /// A character not used so far; nil when there were enough.
    mutating func add(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard replaced.count <= Self.maxRepeats,
            let next = Unicode.Scalar(SourceText.standIns.lowerBound + UInt32(replaced.count))
        else { return nil }
        replaced[next] = scalar
        return next
    }

    func original(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        var scalar = scalar
        // One may stand for another: a repeated pattern's for its star's. Each was added later: this ends.
        while let previous = replaced[scalar] { scalar = previous }
        return scalar
    }

    func restored(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        for scalar in scalars { text.append(original(scalar)) }
        return String(text)
    }
}
