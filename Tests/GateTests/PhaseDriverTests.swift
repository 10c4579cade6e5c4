import Console
import Facts
import Loop
import Policy
import Support
import Testing

@testable import Gate

private struct QuietProxy: ProxyControl {
    let calls = Locked<[String]>([])
    func apply(_ plan: Plan) async throws {}
    func settle() async { calls.withLock { $0.append("settle") } }
    func endConnections() async { calls.withLock { $0.append("end") } }
    func stop() async {}
}

private func trial() throws -> NumberedTrial {
    NumberedTrial(
        ScheduledTrial(
            phase: .attack(.trustedCA, Attack.trustedCA.variants[0], only: []), expectedTotal: 12),
        number: 3, profile: try sampleProfile())
}

private struct Person {
    let interruption = Interruption()
    let output = Locked("")
    let proxy = QuietProxy()

    func drive(_ pace: PhaseDriver.Pace) async throws -> CommandEnding {
        await PhaseDriver(pace, console: .recording(output), interruption: interruption).drive(
            try trial(), connections: Connections(proxy: proxy, interruption: interruption))
    }
}

@Test("a person is told the phase and what to do, and Enter ends it")
func enter() async throws {
    let person = Person()
    let ending = try await person.drive(.enter { true })
    #expect(!ending.interrupted)
    #expect(
        person.output.withLock { $0 }
            == "phase 3 of 12: trusted-ca\n  force-stop the app, open it, go through the journey, then press Enter\n")
    #expect(person.proxy.calls.withLock { $0 } == ["settle", "end"])
}

@Test("input that ends is the wish to end the run")
func endOfInput() async throws {
    let person = Person()
    #expect(try await person.drive(.enter { false }).interrupted)
    #expect(await person.interruption.isRequested)
    #expect(person.proxy.calls.withLock { $0 } == ["end"])
}

@Test("an interruption does not wait for Enter")
func interruptionBeforeEnter() async throws {
    let person = Person()
    let never = Interruption()
    await person.interruption.request()
    let ending = try await person.drive(
        .enter {
            await never.wait()
            return true
        })
    #expect(ending.interrupted)
    await never.request()
}

@Test("a timed phase ends by itself, and at once when interrupted")
func timed() async throws {
    let person = Person()
    #expect(try await !person.drive(.seconds(0.01)).interrupted)
    #expect(person.output.withLock { $0 }.hasPrefix("phase 3 of 12: trusted-ca\n  for 1 s: force-stop the app"))
    await person.interruption.request()
    #expect(try await person.drive(.seconds(1000)).interrupted)
}
