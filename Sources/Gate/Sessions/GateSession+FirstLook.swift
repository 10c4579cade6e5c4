import Console
import Evidence
import Facts
import Loop
import Policy
import Report
import Verdict

// What `check` and `init` make of their two starts.

extension GateSession {
    func tell(_ ready: Preparation, _ evidence: EvidenceWriter, _ end: RunEnd, _ folder: RunFolder) throws -> ExitStatus
    {
        let seen = RunEvidence(evidence.records)
        if let fault = end.fault { throw GateError.notLooked(fault) }
        let scheduler = ready.scheduler(options.terms)
        let text = CheckText(
            look: FirstLook(seen, profile: ready.profile), profile: ready.profile,
            typical: scheduler.typicalCount(after: seen), worst: scheduler.outline.atMost,
            isInterrupted: end.interrupted, folder: options.out ?? Files.relative(folder.path))
        try console.result(printer.json ? CheckReport.text(text) : text.text)
        return ExitStatus(rawValue: text.status) ?? .inconclusive
    }

    func draft(
        _ ground: DraftProfile.Ground, to path: String?, _ ready: Preparation, _ evidence: EvidenceWriter,
        _ end: RunEnd, _ folder: RunFolder
    ) throws -> ExitStatus {
        if let fault = end.fault { throw GateError.notLooked(fault) }
        let look = FirstLook(RunEvidence(evidence.records), profile: ready.profile)
        let draft = DraftProfile(look, on: ground)
        guard draft.isWorthWriting else {
            console.warn(draft.nothingToWrite)
            return .inconclusive
        }
        if let path {
            try Files.writeAtomically(Array(draft.text.utf8), to: path)
            console.say("written: \(path)")
            console.say("next: read it, then pinproof check \(path) -- \(options.command.joined(separator: " "))")
        } else {
            try console.result(draft.text)
        }
        return .pass
    }
}
