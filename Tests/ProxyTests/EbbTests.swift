import Testing

@testable import Proxy

@Test("memory goes back once after many connections have gone, and not while they come and go")
func ebb() {
    var ebb = Ebb()
    // Few, whatever becomes of them.
    #expect([200, 0, 0, 0, 0, 0].allSatisfy { !ebb.isOver(open: $0) })
    // They go: at the second look in a row.
    #expect([9000, 9000, 2000, 10].map { ebb.isOver(open: $0) } == [false, false, false, true])
    // Once.
    #expect([0, 0, 0, 0, 0, 0].allSatisfy { !ebb.isOver(open: $0) })
    // They come again before it is over.
    #expect([1000, 200, 900, 200, 200].map { ebb.isOver(open: $0) } == [false, false, false, false, true])
    // All at once: at the first look, and what has gone since at the second.
    #expect([9000, 500, 0, 0, 0].map { ebb.isOver(open: $0) } == [false, true, true, false, false])
    // A part of them stays.
    #expect([8000, 2000, 2000, 2000].map { ebb.isOver(open: $0) } == [false, false, true, false])
    #expect([500, 500].map { ebb.isOver(open: $0) } == [false, true])
}
