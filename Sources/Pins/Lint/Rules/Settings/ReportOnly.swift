/// L14: failed pins are reported, and nothing else.
enum ReportOnly: LintCheck {
    static let entry = LintRuleBook.Entry(
        "L14", "report-only", .warning, "Failed pins are only reported",
        why:
            "The connection goes on when no pin matches, and an attacker on the way swallows the report as well. It is right for a trial, not for a release.",
        fix: "Enforce the pins once the reports are quiet.", sources: ["TSKPinningValidator.m (TrustKit)"])

    static func findings(_ context: LintContext) -> [LintFinding] {
        context.appFiles.filter { !$0.isForDebugging }.flatMap { file in
            file.entriesByPlace.filter { !$0.entry.isEnforced }.map { entry, hosts in
                finding(
                    in: file, line: entry.line, host: LintWords.single(hosts),
                    "the pins of \(LintWords.hosts(hosts)) are only reported: a connection with a wrong key goes on",
                    fix: fix(entry.format))
            }
        }
    }

    private static func fix(_ format: PinFormat) -> String {
        switch format {
        case .trustKit: "set kTSKEnforcePinning to YES (its default) once the reports are quiet"
        case .hpkp: "send Public-Key-Pins; but browsers have dropped it, so that the header does nothing today"
        default: "enforce them once the reports are quiet"
        }
    }
}
