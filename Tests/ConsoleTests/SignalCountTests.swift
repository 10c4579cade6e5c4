import Testing

@testable import Console

@Suite("Signals that ask for the end")
struct SignalCountTests {
    @Test("two of one moment, as timeout sends them, are one")
    func twice() {
        var signals = SignalCount()
        #expect(signals.receive(at: 100) == 1)
        #expect(signals.receive(at: 100) == nil)
        #expect(signals.receive(at: 100.999) == nil)
        #expect(signals.count == 1)
    }

    @Test("one that comes a second later is meant")
    func later() {
        var signals = SignalCount()
        #expect(signals.receive(at: 100) == 1)
        #expect(signals.receive(at: 101) == 2)
        #expect(signals.receive(at: 101.5) == nil)
        #expect(signals.receive(at: 102) == 3)
    }

    @Test("the moment begins with the signal that counts, so that who goes on pressing Ctrl-C is heard")
    func pressedOnAndOn() {
        var signals = SignalCount()
        let counted = stride(from: 0.0, through: 1.2, by: 0.3).compactMap { signals.receive(at: $0) }
        #expect(counted == [1, 2])
    }
}
