/// Connections of one loop that have not shown a request, oldest first, up to a limit.
///
/// They cost a descriptor each and ask for nothing: whoever opens them without end must not keep others out.
struct UnaskedConnections<Member> {
    private var byNumber: [UInt64: Member] = [:]
    /// Their numbers in the order of their coming; those that have asked meanwhile are passed over.
    private var order: [UInt64] = []
    private var first = 0
    let limit: Int

    /// Thousands of honest clients may come within a moment, before any of them has said a word: with 1024, of 2,000 that
    /// came at once 976 were sent away. A connection that says nothing takes some KB; descriptors mostly allow less.
    private static var most: Int { 8192 }
    /// One app's, at the least.
    private static var fewest: Int { 8 }

    /// - Parameters:
    ///   - connections: how many the proxy serves at once.
    ///   - loops: over how many loops they are spread.
    init(connections: Int, loops: Int) {
        limit = max(Self.fewest, min(Self.most, connections / 2) / max(1, loops))
    }

    var count: Int { byNumber.count }

    /// Takes one more; the oldest one is to leave where that is one too many.
    mutating func insert(_ connection: Member, _ number: UInt64) -> Member? {
        byNumber[number] = connection
        order.append(number)
        guard byNumber.count > limit else { return nil }
        return removeOldest()
    }

    /// It has asked for something, or ended.
    mutating func remove(_ number: UInt64) {
        guard byNumber.removeValue(forKey: number) != nil else { return }
        // All that is left of those that asked long ago is their numbers.
        guard order.count - first > 2 * (byNumber.count + limit) else { return }
        order = order[first...].filter { byNumber[$0] != nil }
        first = 0
    }

    private mutating func removeOldest() -> Member? {
        while first < order.count {
            let number = order[first]
            first += 1
            if let connection = byNumber.removeValue(forKey: number) { return connection }
        }
        return nil
    }
}
