import Console
import Loop
import Report
import Verdict

/// A judgement with all that reports need, ready to be shown and written.
package struct Judged: Sendable {
    package private(set) var input: ReportInput
    /// What `--write-baseline` keeps.
    let baseline: Baseline

    package var status: ExitStatus { ExitStatus(rawValue: input.judgement.result.exitStatus) ?? .invalid }

    /// As it is to be shown where something of it could not be written: what is read ends with the same status as the process.
    package func shown(after delivery: Delivery) -> Judged {
        guard let complaint = delivery.complaints.first, status != .fail else { return self }
        var shown = self
        shown.input.judgement.result = .invalid
        shown.input.judgement.fault = input.judgement.fault ?? complaint.message
        return shown
    }

    /// Puts into the reports what changed since an earlier run.
    package mutating func compare(with earlier: Judged) -> RunComparison {
        let comparison = RunComparison(from: earlier.input, to: input)
        input.comparison = comparison
        return comparison
    }

    /// Writes the reports beside one another, each whole or not at all; returns their paths.
    @discardableResult
    package func write(_ formats: [ReportFormat], to folder: String) throws(FileError) -> [String] {
        if !Files.isFolder(folder), Files.exists(folder) { throw .notAFolder(folder) }
        try Files.makeFolders(folder)
        var paths: [String] = []
        for format in formats {
            let path = "\(folder)/\(format.fileName)"
            try Files.writeAtomically(format.render(input), to: path)
            paths.append(path)
        }
        return paths
    }
}
