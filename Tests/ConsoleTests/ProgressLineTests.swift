import Foundation
import Loop
import Support
import Testing

@testable import Console

private func step(_ number: Int, of total: Int = 12, targets: [String] = ["api.test"]) -> ProgressStep {
    ProgressStep(number: number, expectedTotal: total, name: "smuggled-chain (leaf-first)", targets: targets)
}

@Test("a line names the trial, the attack with its variant, the hosts and the time left")
func line() {
    #expect(
        ProgressLine.line(step(4), secondsLeft: 12.1)
            == "trial 4 of 12  about 13 s left  smuggled-chain (leaf-first)  api.test")
    let many = step(13, of: 13, targets: ["a.test", "b.test", "c.test", "d.test", "e.test"])
    #expect(
        ProgressLine.line(many, secondsLeft: nil)
            == "trial 13 of 13  smuggled-chain (leaf-first)  a.test, b.test, c.test and 2 more")
}

@Test("elsewhere than on a terminal each trial is one plain line")
func plain() {
    let output = Locked("")
    let progress = ProgressLine(console: .recording(output), secondsPerTrial: nil)
    for number in 1...2 {
        progress.began(step(number), at: 0)
        progress.draw(at: 1)
        progress.ended("exit 0", at: 2)
    }
    progress.cleared()
    let text = output.withLock { $0 }
    #expect(text.split(separator: "\n").count == 2)
    #expect(!text.contains("\u{1b}") && !text.contains("\r"))
}

@Test("on a terminal one line is redrawn, fits the width, and is cleared at the end")
func redrawn() {
    let output = Locked("")
    let progress = ProgressLine(console: .recording(output, isTerminal: true, width: 40), secondsPerTrial: nil)
    progress.began(step(1), at: 0)
    progress.ended("exit 0", at: 10)
    progress.began(step(2), at: 10)
    progress.draw(at: 12)
    progress.cleared()
    let drawn = output.withLock { $0 }.components(separatedBy: "\r\u{1b}[K").dropFirst()
    #expect(drawn.allSatisfy { $0.count < 40 && !$0.contains("\n") })
    // The first trial took 10 s: ten more after this one, and 8 s of this one.
    #expect(drawn.contains { $0.hasPrefix("trial 2 of 12  about 108 s left") })
    #expect(drawn.last == "")
}

@Test("a line said while the progress line stands replaces it")
func saidBetween() {
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
    progress.began(step(1), at: 0)
    progress.ended("exit 7 after 1.3 s", at: 2)
    #expect(loud.withLock { $0 }.hasSuffix("trial 1: exit 7 after 1.3 s\n"))
}

@Test("the time left is never shown to have grown, whatever is found to be still to come")
func timeLeft() {
    let output = Locked("")
    let progress = ProgressLine(console: .recording(output, isTerminal: true, width: 60), secondsPerTrial: nil)
    progress.began(step(1, of: 4), at: 0)
    progress.ended("exit 0", at: 10)
    progress.began(step(2, of: 4), at: 10)
    progress.ended("exit 0", at: 20)
    // Sixteen more than was known.
    progress.began(step(3, of: 20), at: 20)
    progress.draw(at: 25)
    let shown = output.withLock { $0 }.matches(of: /about ([0-9]+) s left/).compactMap { Int($0.1) }
    #expect(shown == [30, 30, 30])
}

@Test("a phase that a person goes through counts down, and says when it is over")
func countdown() {
    #expect(
        ProgressLine.countdown(step(3, of: 4), left: 41.2, inAll: 101.2)
            == "phase 3 of 4  42 s left, 102 s in all  smuggled-chain (leaf-first)  api.test")
    #expect(ProgressLine.countdown(step(3, of: 9), left: 90, inAll: 630).contains("90 s left, 11 min in all"))
    #expect(ProgressLine.countdown(step(4, of: 4), left: 1, inAll: 1).contains("1 s left  "))
    #expect(ProgressLine.countdown(step(4, of: 4), left: 0, inAll: 0).contains("is over"))
    let output = Locked("")
    let progress = ProgressLine(
        console: .recording(output, isTerminal: true), secondsPerTrial: 60, style: .countdown)
    progress.began(step(1, of: 2), at: 100)
    progress.draw(at: 130)
    let drawn = output.withLock { $0 }
    #expect(drawn.contains("phase 1 of 2  60 s left, 120 s in all") && drawn.contains("30 s left, 90 s in all"))
    let plain = Locked("")
    ProgressLine(console: .recording(plain), secondsPerTrial: 60, style: .countdown).began(step(1), at: 0)
    #expect(plain.withLock { $0 }.isEmpty)
}
