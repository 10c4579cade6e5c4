import Loop
import Verdict

/// `--baseline` and `--write-baseline`.
package struct BaselineChoice: Sendable, Hashable {
    /// Findings in it are known, others fail the run.
    package var read: String?
    package var write: String?

    /// The folder that the command itself makes: what goes into that has its place then.
    package var out: String?

    package init(read: String? = nil, write: String? = nil, out: String? = nil) {
        self.read = read
        self.write = write
        self.out = out
    }

    /// Finds out at once as well whether the other one can be written in the end.
    ///
    /// - Parameter folder: a run's, which keeps the one that the gate was given.
    func baseline(keptIn folder: String? = nil) throws -> Baseline? {
        if let write, out.map({ !Files.absolute(write).hasPrefix(Files.absolute($0) + "/") }) ?? true {
            try Files.requireWritable(write)
        }
        let kept = folder.map { "\($0)/\(BaselineFile.name)" }
        return try (read ?? kept.flatMap { Files.exists($0) ? $0 : nil }).map(BaselineFile.read)
    }

    /// Waived findings are left out: their waivers end.
    package func keep(_ judged: Judged) throws(FileError) {
        if let write { try BaselineFile.write(judged.baseline, to: write) }
    }
}
