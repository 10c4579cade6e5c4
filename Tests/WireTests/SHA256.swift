/// A plain SHA-256 (FIPS 180-4) for tests: Wire itself is given one.
func sha256(_ message: [UInt8]) -> [UInt8] {
    let primes = (2...311).filter { n in !(2..<n).contains { $0 * $0 <= n && n.isMultiple(of: $0) } }
    func fraction(_ value: Double) -> UInt32 { UInt32((value - Double(Int(value))) * 4_294_967_296) }
    func cubeRoot(_ value: Double) -> Double {
        var root = value
        for _ in 0..<100 { root -= (root * root * root - value) / (3 * root * root) }
        return root
    }
    let k = primes.map { fraction(cubeRoot(Double($0))) }
    var state = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value >> count | value << (32 - count) }

    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    for block in stride(from: 0, to: padded.count, by: 64) {
        var w = (0..<16).map { i in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(padded[block + 4 * i + $1]) } }
        for i in 16..<64 {
            let s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3
            let s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10
            w.append(w[i - 16] &+ s0 &+ w[i - 7] &+ s1)
        }
        var s = state
        for i in 0..<64 {
            let e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)
            let t1 = s[7] &+ e &+ (s[4] & s[5] ^ ~s[4] & s[6]) &+ k[i] &+ w[i]
            let a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)
            let t2 = a &+ (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2])
            s = [t1 &+ t2, s[0], s[1], s[2], s[3] &+ t1, s[4], s[5], s[6]]
        }
        state = zip(state, s).map { $0 &+ $1 }
    }
    return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
}
