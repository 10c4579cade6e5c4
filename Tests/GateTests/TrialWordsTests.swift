import Facts
import Policy
import Support
import Testing

@testable import Gate

@Test("a trial is shown with its attack and variant, and what is aimed at")
func trialStep() throws {
    let variant = try #require(Attack.smuggledChain.variants[0].name)
    let trial = NumberedTrial(
        ScheduledTrial(
            phase: .attack(.smuggledChain, Attack.smuggledChain.variants[0], only: []), expectedTotal: 12),
        number: 13, profile: try sampleProfile())
    #expect(trial.step.number == 13 && trial.step.expectedTotal == 13)
    #expect(trial.step.name == "smuggled-chain (\(variant))" && trial.step.targets == ["api.test"])
}

@Test("how one run of COMMAND went is a few words")
func endingWords() {
    var ending = CommandEnding()
    ending.exit = 7
    ending.seconds = 1.25
    #expect(ending.words == "exit 7 after 1.3 s")
    ending.signal = 9
    #expect(ending.words == "ended by signal 9 after 1.3 s")
    ending.timedOut = true
    #expect(ending.words == "ended by --attempt-timeout after 1.3 s")
    ending.interrupted = true
    #expect(ending.words == "interrupted after 1.3 s")
}
