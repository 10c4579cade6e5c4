import Facts

/// Looks through binaries for what reads like a pin.
enum IPAStrings {
    /// Pins of one file; an app has ten, and a list of roots some hundred.
    private static let countLimit = 1000
    /// A SHA-256 in base64.
    private static let length = 44

    /// `sha256/BASE64` for each that is one of 32 bytes, in the order of the file, each once.
    ///
    /// - Parameter alone: strings that are nothing but base64 of 32 bytes count too, as TrustKit's do.
    static func pins(in bytes: [UInt8], alone: Bool) -> [String] {
        var found: [(at: Int, value: String)] = []
        var seen: Set<String> = []
        func add(_ range: Range<Int>) {
            guard range.upperBound <= bytes.count, Base64.decoded(bytes[range])?.count == 32 else { return }
            let value = "sha256/" + String(decoding: bytes[range], as: UTF8.self)
            if seen.insert(value).inserted { found.append((range.lowerBound, value)) }
        }
        let prefix = Array("sha256/".utf8)
        var at = 0
        while found.count < countLimit, let start = ByteSearch.first(prefix, in: bytes, from: at) {
            var value = start + prefix.count
            // curl writes two.
            if value < bytes.count, bytes[value] == UInt8(ascii: "/"), value + length < bytes.count,
                bytes[value + length] == UInt8(ascii: "=")
            {
                value += 1
            }
            add(value..<(value + length))
            at = start + prefix.count
        }
        if alone {
            // Strings end with a zero: a row of 43 letters and one sign between two of them.
            var from = 0
            while found.count < countLimit, let end = ByteSearch.first([UInt8(ascii: "="), 0], in: bytes, from: from) {
                let start = end + 1 - length
                if start >= 0, start == 0 || bytes[start - 1] == 0 { add(start..<(end + 1)) }
                from = end + 2
            }
        }
        return found.sorted { $0.at < $1.at }.map(\.value)
    }

    /// For each word of two bytes or more, whether it stands in the bytes; they are gone through once.
    static func found(_ words: [[UInt8]], in bytes: [UInt8]) -> [Bool] {
        var found = words.map { _ in false }
        // By the first two bytes; 0 is none, and other numbers those of a row of words.
        var rows: [[Int]] = [[]]
        var table = [UInt8](repeating: 0, count: 1 << 16)
        for (place, word) in words.enumerated() where word.count >= 2 && rows.count < 256 {
            let pair = Int(word[0]) << 8 | Int(word[1])
            if table[pair] == 0 {
                table[pair] = UInt8(rows.count)
                rows.append([])
            }
            rows[Int(table[pair])].append(place)
        }
        var pair = 0
        for (at, byte) in bytes.enumerated() {
            pair = (pair << 8 | Int(byte)) & 0xffff
            let row = table[pair]
            guard row != 0, at > 0 else { continue }
            for place in rows[Int(row)] where !found[place] {
                let word = words[place]
                guard word.count <= bytes.count - at + 1, word.count < 3 || bytes[at + 1] == word[2],
                    bytes[(at - 1)..<(at - 1 + word.count)].elementsEqual(word)
                else { continue }
                found[place] = true
            }
        }
        return found
    }
}
