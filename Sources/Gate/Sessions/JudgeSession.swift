import Console
import Evidence
import Facts
import Policy
import Profiles
import Report
import TLS
import Verdict

/// Judges again from evidence alone: one run, or several as one.
package struct JudgeSession: Sendable {
    /// Run folders or evidence files.
    package var runs: [String]
    /// nil: the profile that the first run folder keeps.
    package var profile: String?
    package var evidenceFrom: [String] = []
    package var baseline = BaselineChoice()

    package init(
        runs: [String], profile: String?, evidenceFrom: [String] = [], baseline: BaselineChoice = BaselineChoice()
    ) {
        self.runs = runs
        self.profile = profile
        self.evidenceFrom = evidenceFrom
        self.baseline = baseline
    }

    /// The same judgement as the gate's.
    package func judged() throws -> Judged {
        let files = try runs.map { try EvidenceFile.read($0) }
        for (index, file) in files.enumerated() {
            guard let same = files[..<index].first(where: { $0.sha256 == file.sha256 }) else { continue }
            throw Complaint(
                "\(file.name): the same run as \(same.name)",
                hints: ["a run counts once: name every run folder a single time"], status: .usage)
        }
        let others = try evidenceFrom.map { try EvidenceFile.read($0) }
        let loaded = try load(files)
        let known = try baseline.baseline(keptIn: files.first?.folder)
        let evidence = files.map(\.evidence)
        var judgement = Judge.judge(
            profile: loaded.profile, runs: evidence, controlsFrom: files.flatMap(\.controls) + others.map(\.evidence),
            profileSHA256: SHA256.hex(Array(loaded.text.utf8)), baseline: known)
        let found = Baseline(judgement)
        for file in files + others {
            judgement.findings += file.remarks.map {
                Finding(id: "evidence-remark", severity: .warning, fact: .run(.remark("\(file.name): \($0)")))
            }
        }
        // The copy in the run folder has the file's name of its own; what the gate called it is in the evidence.
        let header = profile == nil ? evidence.first?.header : nil
        let path = header.map { $0.profileFile ?? loaded.path } ?? ProfilePath.inRepository(loaded.path)
        return Judged(
            input: RunSummary.input(
                judgement, profile: header?.profile ?? loaded.profile.name, runs: evidence, folders: files.map(\.name),
                source: ProfileSource(loaded, path: path), heads: files.map(\.head)),
            baseline: found)
    }

    private func load(_ files: [EvidenceFile]) throws -> LoadedProfile {
        guard let path = profile ?? files.first?.folder.map({ "\($0)/\(RunFolder.profileName)" }) else {
            throw Complaint("no profile to judge by", hints: ["name it with --profile"], status: .usage)
        }
        // Roots and lent keys were needed for the run, not for judging it: they may be on another machine.
        let loaded = try ProfileLoader.load(path: path, files: { _ in .readable })
        try loaded.requireGateable()
        return loaded
    }
}
