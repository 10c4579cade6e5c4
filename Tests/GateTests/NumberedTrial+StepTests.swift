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
