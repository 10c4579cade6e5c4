import Facts
import Foundation
import Policy
import Testing

@testable import Report
@testable import Verdict

/// docs/troubleshooting.md has everything that a run can say of itself.
@Suite("The troubleshooting page")
struct TroubleshootingTests {
    private static let page: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try? String(contentsOf: root.appending(path: "docs/troubleshooting.md"), encoding: .utf8)
        return text ?? ""
    }()

    @Test(
        "it has each finding about the run",
        arguments: FindingCatalogue.all.filter { $0.concern == .run }.map(\.id)
            + [NetworkFindings.quic, NetworkFindings.direct])
    func findings(id: String) { #expect(Self.page.contains("`\(id)`")) }

    @Test(
        "it has each word of what is missing",
        arguments: [
            Missing.trustControl, .coldStarts, .passthroughBefore, .passthroughBetween, .passthroughAfter,
            .sameStackPassthrough, .idleConnections, .consistentRefusal, .attackedAlone, .hostIdentity, .run,
        ])
    func missing(word: Missing) { #expect(Self.page.contains("`\(word.name)`")) }

    @Test(
        "it has each verdict that is no proof",
        arguments: ["not-exercised", "refused-unproven", "not-pinned", "invalid-environment"])
    func verdicts(word: String) { #expect(Self.page.range(of: "\n## .*\(word)", options: .regularExpression) != nil) }

    @Test("what is said of a command that asks for nothing begins as a heading there does")
    func command() {
        let advice = MissingAdvice.notExercised(Circumstances.Silence(exit: 6))
        #expect(advice.contains("COMMAND ended with 6"))
        #expect(Self.page.contains("## COMMAND ended with"))
    }
}
