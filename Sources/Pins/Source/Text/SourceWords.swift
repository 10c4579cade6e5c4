/// Which of the words that readers look for stand in a file, by a look at its bytes.
struct SourceWords: Sendable {
    let found: Set<String>

    func has(_ word: String) -> Bool { found.contains(word) }
    func has(anyOf words: [String]) -> Bool { words.contains(where: found.contains) }

    /// In one pass; words are letters, digits and underscores.
    init(_ bytes: some Collection<UInt8>, lookingFor wanted: Set<String>) {
        var hashes: [UInt64: String] = [:]
        for word in wanted { hashes[word.utf8.reduce(Self.offset, Self.mixed)] = word }
        var found: Set<String> = []
        var hash = Self.offset
        for byte in bytes {
            if SourceTokenizer.isLetter(byte) || SourceTokenizer.isDigit(byte) || byte == UInt8(ascii: "_") {
                hash = Self.mixed(hash, byte)
            } else if hash != Self.offset {
                if let word = hashes[hash] { found.insert(word) }
                hash = Self.offset
            }
        }
        if let word = hashes[hash] { found.insert(word) }
        self.found = found
    }

    /// FNV-1a; two words of one hash would only have a file read in vain.
    private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    private static func mixed(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}
