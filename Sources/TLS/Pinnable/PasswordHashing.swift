/// How much work a file makes of a password, read before any of it is done.
///
/// What hashes passwords (PBKDF2, the schemes of PKCS#5 and PKCS#12, scrypt) has its cost as numbers in its DER.
enum PasswordHashing {
    /// Rounds; OpenSSL writes 2048, Java 10,000, and the most careful tools 600,000. A million take a second.
    static let limit: UInt64 = 1_000_000

    /// - Parameter der: an AlgorithmIdentifier or a MacData with its parameters, as a whole.
    /// - Throws: `tooManyRounds`.
    static func require(_ der: [UInt8]) throws(PinMaterialFault) {
        let rounds = largestNumber(in: der, 0..<der.count, depth: 0)
        if rounds > limit { throw .tooManyRounds(rounds) }
    }

    /// The largest INTEGER anywhere in it; more than 64 bits are the largest there is.
    private static func largestNumber(in der: [UInt8], _ range: Range<Int>, depth: Int) -> UInt64 {
        // Algorithms within algorithms: PBES2 has three levels.
        guard depth < 16, let elements = DERElement.children(der, in: range) else { return .max }
        return elements.reduce(0) { largest, element in
            if element.tag & 0x20 != 0 {
                return max(largest, largestNumber(in: der, element.content, depth: depth + 1))
            }
            guard element.tag == 0x02 else { return largest }
            let digits = der[element.content].drop { $0 == 0 }
            return max(largest, digits.count > 8 ? .max : digits.reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
