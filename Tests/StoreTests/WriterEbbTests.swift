import Testing

@testable import Store

@Suite struct WriterEbbTests {
    private func expect(
        _ ebb: inout WriterEbb, _ wanted: Bool, isIdle: Bool, at now: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isOver = ebb.isOver(isIdle: isIdle, at: now)
        #expect(isOver == wanted, sourceLocation: sourceLocation)
    }

    @Test("memory goes back at once after much, again when it has stayed quiet, and once more behind the index")
    func much() {
        var ebb = WriterEbb()
        ebb.wrote(WriterEbb.much, at: 10)
        expect(&ebb, false, isIdle: false, at: 10.1)
        expect(&ebb, true, isIdle: true, at: 10.2)
        expect(&ebb, false, isIdle: true, at: 12)
        expect(&ebb, true, isIdle: false, at: 13)
        expect(&ebb, false, isIdle: true, at: 1000)
        ebb.indexed()
        expect(&ebb, true, isIdle: true, at: 1001)
        expect(&ebb, false, isIdle: true, at: 1002)
    }

    @Test("little is not worth it, and what keeps coming is not disturbed")
    func little() {
        var ebb = WriterEbb()
        expect(&ebb, false, isIdle: true, at: 0)
        ebb.wrote(1000, at: 0)
        expect(&ebb, false, isIdle: true, at: 100)
        for second in 100..<130 {
            ebb.wrote(1 << 20, at: Double(second))
            expect(&ebb, false, isIdle: true, at: Double(second) + 0.5)
        }
        expect(&ebb, true, isIdle: true, at: 133)
    }
}
