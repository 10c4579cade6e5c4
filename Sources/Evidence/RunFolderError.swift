import Facts

/// A run folder that cannot be made, or evidence that cannot be used.
package enum RunFolderError: ExplainedError, Hashable {
    /// `--out` names a folder that already holds something.
    case folderNotEmpty(String)
    case noFreeFolderName(String)
    /// It was changed after it was written, or is none.
    case unusableEvidence(path: String, problems: [String])
    /// Not a line of it is.
    case noEvidence(String)

    package var cause: ErrorCause {
        switch self {
        case .folderNotEmpty: .commandLine
        case .noFreeFolderName, .unusableEvidence, .noEvidence: .environment
        }
    }

    package var explanations: [Explanation] {
        switch self {
        case .folderNotEmpty(let path):
            [
                Explanation(
                    "\(path): the run folder already holds something",
                    hints: ["remove it, or name another with --out: evidence of two runs must not mix"])
            ]
        case .noFreeFolderName(let path):
            [Explanation("\(path): no free name for the run folder", hints: ["name one with --out"])]
        case .noEvidence(let path):
            [
                Explanation(
                    "\(path): no evidence of a run", hints: ["name the run folder, or the evidence.jsonl in it"])
            ]
        case .unusableEvidence(let path, let problems):
            problems.map { Explanation("\(path): \($0)") } + [
                Explanation(
                    "\(path): not usable as evidence",
                    hints: ["evidence that was changed gives no verdict: run the gate again"])
            ]
        }
    }
}
