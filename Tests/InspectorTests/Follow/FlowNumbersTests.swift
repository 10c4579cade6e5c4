import Testing

@testable import Inspector

@Suite struct FlowNumbersTests {
    @Test("what was put in is there, in whatever order it came")
    func numbers() {
        var numbers = FlowNumbers()
        var known: Set<Int64> = []
        var state: UInt64 = 7
        for _ in 0..<3000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let number = Int64(state >> 54)
            #expect(numbers.insert(number) == known.insert(number).inserted)
        }
        for number in Int64(-2)...1030 { #expect(numbers.contains(number) == known.contains(number)) }
        #expect(numbers.insert(.max) && numbers.insert(.min) && !numbers.insert(.max))
    }
}
