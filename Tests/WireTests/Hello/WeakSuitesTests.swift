import Testing

@testable import Wire

@Test("every suite is named for what is weak about it, and no other is named")
func weakSuites() {
    var count = 0
    for suite in UInt16.min...UInt16.max {
        guard let name = WeakSuites.name(of: suite) else { continue }
        count += 1
        let isWeak = ["NULL", "_anon_", "EXPORT"].contains { name.contains($0) }
        #expect(isWeak || suite == 0xc0b4 || suite == 0xc0b5, "\(name)")
    }
    #expect(count == 62)
    #expect(WeakSuites.name(of: 0x00ff) == nil, "a signal, no suite")
}
