import Facts

extension TwinCertificate {
    /// A name of the same shape: the common name, or else the last attribute, with other letters and digits in it.
    static func name(like original: [UInt8], _ identifier: [UInt8]) throws -> [UInt8] {
        guard let value = attributeToChange(original) else { throw cannotRename }
        var text = Array(original[value.content])
        if let word = hexWord(in: text), identifier.count >= 4 {
            text.replaceSubrange(word, with: Hex.encode(identifier.prefix(4)).utf8)
        } else {
            // Eight characters are enough to differ, and leave the name recognisable.
            let letters = text.indices.filter { range(of: text[$0]) != nil }.suffix(8)
            guard !letters.isEmpty else { throw cannotRename }
            for index in letters { text[index] = try otherOfItsClass(text[index]) }
        }
        var out = original
        out.replaceSubrange(value.content, with: text)
        return out
    }

    private static let cannotRename = CAError(
        .unusable, "the CA's name has no letter or digit, so no twin can be named like it",
        hint: "use a CA with a common name")

    private static func attributeToChange(_ name: [UInt8]) -> DERElement? {
        guard let outer = DERElement(name, at: 0), let parts = DERElement.children(name, in: outer.content) else {
            return nil
        }
        let pairs = parts.compactMap { DERElement.children(name, in: $0.content) }.joined()
            .compactMap { DERElement.children(name, in: $0.content) }.filter { $0.count == 2 }
        let common = pairs.last { Array(name[$0[0].content]) == Array(OID.commonName.dropFirst(2)) }
        return (common ?? pairs.last)?[1]
    }

    /// Our own names carry the first eight digits of the key's identifier as a word: the twin's carry its key's.
    private static func hexWord(in text: [UInt8]) -> Range<Int>? {
        text.split(separator: UInt8(ascii: " ")).first { word in
            word.count == 8 && word.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        }?.indices
    }

    private static func otherOfItsClass(_ byte: UInt8) throws -> UInt8 {
        guard let range = range(of: byte) else { return byte }
        let step = try Random.bytes(1)[0] % UInt8(range.count - 1) + 1
        return range.lowerBound + (byte - range.lowerBound + step) % UInt8(range.count)
    }

    /// Digits, capital and small letters of ASCII: in any string type of X.520 they stand for themselves.
    private static func range(of byte: UInt8) -> ClosedRange<UInt8>? {
        [0x30...0x39, 0x41...0x5a, 0x61...0x7a].first { $0.contains(byte) }
    }
}
