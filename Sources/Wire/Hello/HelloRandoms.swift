/// The 32 random bytes of a ClientHello, which no two calls share (RFC 8446 §4.1.2).
package struct HelloRandom: Hashable, Sendable {
    // Four words rather than an array: one is kept with every hello, and none should cost an allocation.
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64
    private let fourth: UInt64

    package static let length = 32

    /// - Parameter start: where they begin; nil where there are not enough.
    package init?(_ bytes: Span<UInt8>, at start: Int = 0) {
        guard start >= 0, start <= bytes.count - Self.length else { return nil }
        first = Self.word(bytes, start)
        second = Self.word(bytes, start + 8)
        third = Self.word(bytes, start + 16)
        fourth = Self.word(bytes, start + 24)
    }

    /// Of the ClientHello that a call of our own begins with: its first record holds far more than the random.
    package init?(ofHelloIn bytes: Span<UInt8>) {
        // Record header, message header, version.
        guard bytes.count > 5, bytes[0] == 22, bytes[5] == 1 else { return nil }
        self.init(bytes, at: 5 + 4 + 2)
    }

    package var bytes: [UInt8] {
        [first, second, third, fourth].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }

    private static func word(_ bytes: Span<UInt8>, _ start: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<(start + 8) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }
}

/// The ClientHellos that are on their way to origins, by their randoms.
///
/// A hello that comes in while the same one is on its way out is our own call come back, by whatever way: another name
/// of this machine, a port that is forwarded, an upstream proxy. So what goes out is inserted, a tunnelled client's hello
/// as well as one of our own, and every hello that comes in is looked up before anything else is done with it.
package struct HelloRandoms: Sendable {
    /// As many connections as can be open where descriptors are plenty: each has two. Beyond it no more are known, and
    /// a loop shows at one of its next turns.
    package static let limit = 65_536

    private var randoms: Set<HelloRandom> = []

    package init() {}

    package var count: Int { randoms.count }

    /// False where it is not taken: it is there already, or there are too many. Only who inserted it removes it.
    package mutating func insert(_ random: HelloRandom) -> Bool {
        guard randoms.count < Self.limit else { return false }
        return randoms.insert(random).inserted
    }

    /// The connection has ended, or has gone so far that no hello of it can come back.
    package mutating func remove(_ random: HelloRandom) { randoms.remove(random) }

    /// A hello with this random, just read, is our own.
    package func contains(_ random: HelloRandom) -> Bool { randoms.contains(random) }
}
