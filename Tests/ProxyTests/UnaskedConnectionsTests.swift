import Testing

@testable import Proxy

@Suite("connections that have asked for nothing")
struct UnaskedConnectionsTests {
    /// Eight at once.
    private var few = UnaskedConnections<String>(connections: 2, loops: 1)

    @Test("half of the clients may be such, over all loops, but an app's always and never tens of thousands")
    func limits() {
        for (connections, loops, limit) in [
            (2, 1, 8), (400, 2, 100), (400, 100, 8), (9990, 2, 2497), (1 << 20, 1, 8192),
        ] {
            #expect(UnaskedConnections<String>(connections: connections, loops: loops).limit == limit)
        }
    }

    @Test("one too many sends the oldest away, which is the newest never")
    mutating func oldest() {
        for number in 1...8 as ClosedRange<UInt64> { #expect(few.insert("\(number)", number) == nil) }
        #expect(few.insert("9", 9) == "1")
        #expect(few.insert("10", 10) == "2")
        #expect(few.count == 8)
    }

    @Test("whoever has asked is no longer counted, and not sent away")
    mutating func asked() {
        for number in 1...8 as ClosedRange<UInt64> { _ = few.insert("\(number)", number) }
        few.remove(1)
        few.remove(1)
        few.remove(77)
        #expect(few.count == 7)
        #expect(few.insert("9", 9) == nil)
        #expect(few.insert("10", 10) == "2")
    }

    @Test("the order stays that of their coming, however many have asked in between")
    mutating func order() {
        for number in [1, 2] as [UInt64] { _ = few.insert("\(number)", number) }
        for number in 100...1000 as ClosedRange<UInt64> {
            #expect(few.insert("\(number)", number) == nil)
            few.remove(number)
        }
        for number in 3...8 as ClosedRange<UInt64> { #expect(few.insert("\(number)", number) == nil) }
        #expect(few.insert("9", 9) == "1")
        #expect(few.insert("10", 10) == "2")
        #expect(few.insert("11", 11) == "3")
    }
}
