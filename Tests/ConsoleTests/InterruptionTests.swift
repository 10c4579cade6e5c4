import Testing

@testable import Console

@Test("everybody who waits is woken by one request, and later ones need not wait")
func wakesAll() async {
    let interruption = Interruption()
    await withTaskGroup(of: Void.self) { tasks in
        for _ in 0..<10 { tasks.addTask { await interruption.wait() } }
        tasks.addTask { await interruption.request() }
    }
    await interruption.wait()
    #expect(await interruption.isRequested)
}

@Test("a waiter that is cancelled returns though nobody asked for an end")
func cancelledWaiter() async {
    let interruption = Interruption()
    for _ in 0..<50 {
        let waiting = Task { await interruption.wait() }
        waiting.cancel()
        await waiting.value
    }
    #expect(await !interruption.isRequested)
}

@Test("sleeping tells whether it was cut short")
func sleeping() async {
    let interruption = Interruption()
    #expect(await interruption.sleep(for: .milliseconds(1)))
    async let slept = interruption.sleep(for: .seconds(1000))
    await interruption.request()
    #expect(await !slept)
    #expect(await !interruption.sleep(for: .milliseconds(1)))
}
