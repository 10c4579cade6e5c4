import Facts
import Loop
import Policy
import Testing

@testable import Gate

private func trial(_ number: Int, of total: Int = 12, hosts: [String] = ["api.test"]) throws -> NumberedTrial {
    NumberedTrial(
        ScheduledTrial(
            phase: .attack(.smuggledChain, Attack.smuggledChain.variants[0], only: []), expectedTotal: total),
        number: number, profile: try sampleProfile(hosts.map { ($0, .refuse) }))
}

@Test("a line names the trial, the attack with its variant, the hosts and the time left")
func line() throws {
    let variant = try #require(Attack.smuggledChain.variants[0].name)
    #expect(
        ProgressLine.line(try trial(4), secondsLeft: 12.1)
            == "trial 4 of 12  about 13 s left  smuggled-chain (\(variant))  api.test")
    let many = try trial(13, hosts: ["a.test", "b.test", "c.test", "d.test", "e.test"])
    #expect(
        ProgressLine.line(many, secondsLeft: nil)
            == "trial 13 of 13  smuggled-chain (\(variant))  a.test, b.test, c.test and 2 more")
}

@Test("elsewhere than on a terminal each trial is one plain line")
func plain() throws {
    let output = Locked("")
    let progress = ProgressLine(console: .recording(output), secondsPerTrial: nil)
    for number in 1...2 {
        progress.began(try trial(number), at: 0)
        progress.draw(at: 1)
        progress.ended(CommandEnding(), at: 2)
    }
    progress.cleared()
    let text = output.withLock { $0 }
    #expect(text.split(separator: "\n").count == 2)
    #expect(!text.contains("\u{1b}") && !text.contains("\r"))
}

@Test("on a terminal one line is redrawn, fits the width, and is cleared at the end")
func redrawn() throws {
    let output = Locked("")
    let progress = ProgressLine(console: .recording(output, isTerminal: true, width: 40), secondsPerTrial: nil)
    progress.began(try trial(1), at: 0)
    progress.ended(CommandEnding(), at: 10)
    progress.began(try trial(2), at: 10)
    progress.draw(at: 12)
    progress.cleared()
    let drawn = output.withLock { $0 }.components(separatedBy: "\r\u{1b}[K").dropFirst()
    #expect(drawn.allSatisfy { $0.count < 40 && !$0.contains("\n") })
    // The first trial took 10 s: ten more after this one, and 8 s of this one.
    #expect(drawn.contains { $0.hasPrefix("trial 2 of 12  about 108 s left") })
    #expect(drawn.last == "")
}

@Test("a line said while the progress line stands replaces it")
func saidBetween() throws {
    let output = Locked("")
    let console = Console.recording(output, isTerminal: true)
    console.status("drawn")
    console.say("said")
    console.say("again")
    #expect(output.withLock { $0 } == "\r\u{1b}[Kdrawn\r\u{1b}[Ksaid\nagain\n")
}

@Test("quiet shows warnings and results only, verbose how each trial ended")
func loudness() throws {
    let quiet = Locked("")
    let console = Console.recording(quiet, loudness: .quiet, isTerminal: true)
    console.say("said")
    console.detail("detail")
    console.status("status")
    console.warn("warned")
    try console.result("result\n")
    #expect(quiet.withLock { $0 } == "warned\nresult\n")

    let loud = Locked("")
    let progress = ProgressLine(console: .recording(loud, loudness: .verbose), secondsPerTrial: nil)
    progress.began(try trial(1), at: 0)
    var ending = CommandEnding()
    ending.exit = 7
    ending.seconds = 1.25
    progress.ended(ending, at: 2)
    #expect(loud.withLock { $0 }.hasSuffix("trial 1: exit 7 after 1.3 s\n"))
}
