import Testing

@testable import Flows

@Test("times follow a clock that was set, and a machine that slept, and not the drift of every day")
func followedClock() {
    let clock = FlowClock(unix: 1_000_000, monotonic: 100)
    #expect(clock.following(unix: 1_000_010.9, monotonic: 110) == clock)
    #expect(clock.following(unix: 1_000_009.1, monotonic: 110) == clock)
    let slept = clock.following(unix: 1_028_810, monotonic: 110)
    #expect(slept.unix(111) == 1_028_811)
    #expect(slept.following(unix: 1_000_010, monotonic: 110).unix(110) == 1_000_010)
}
