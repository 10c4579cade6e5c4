import Testing

@testable import TLS

@Test("a full cache forgets its oldest entry, and only that")
func evictsOldest() {
    var cache = BoundedCache<Int, String>(limit: 3)
    for number in 1...5 { cache.set(number, "\(number)") }
    #expect(cache.count == 3)
    #expect((1...5).map { cache[$0] } == [nil, nil, "3", "4", "5"])
}

@Test("setting a key again replaces its value, and costs no other its place")
func replaces() {
    var cache = BoundedCache<Int, String>(limit: 2)
    cache.set(1, "a")
    cache.set(2, "b")
    cache.set(2, "c")
    #expect(cache[1] == "a")
    #expect(cache[2] == "c")
    cache.set(3, "d")
    #expect(cache[1] == nil)
    #expect(cache[2] == "c")
}
