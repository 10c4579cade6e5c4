import Facts
import Loop
import TLS
import Verdict

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A run's evidence as it was read from disk, whole and unchanged.
package struct EvidenceFile: Sendable {
    /// As the user named it.
    package let name: String
    package let evidence: RunEvidence
    /// The file itself.
    package let path: String
    /// Of all its bytes: a copy has to be as good, and the same run under two names is one run.
    package let sha256: String
    /// SHA-256 of its last whole line, without the newline.
    package let head: String
    /// What is worth knowing, but forbids no verdict: a cut last line, lines of a later version.
    package let remarks: [String]
    /// Runs that the gate took as controls, kept in the run folder.
    package let controls: [RunEvidence]
    /// nil where only the file itself was named.
    package let folder: String?

    /// Far more than `EvidenceWriter.lineLimit` lines; what is larger was not written by a gate.
    static let sizeLimit = 2 << 30

    /// - Parameter path: a run folder, or an `evidence.jsonl`.
    package static func read(_ path: String) throws -> EvidenceFile {
        guard Files.isFolder(path) else {
            // By its name it is one, and damaged.
            let isOther = path.split(separator: "/").last.map(String.init) != RunFolder.evidenceName
            return try read(file: path, named: path, folder: nil, mayBeOther: isOther)
        }
        return try read(file: "\(path)/\(RunFolder.evidenceName)", named: path, folder: path)
    }

    /// - Parameter mayBeOther: somebody typed it, who may have meant its folder.
    private static func read(file: String, named name: String, folder: String?, mayBeOther: Bool = false) throws
        -> EvidenceFile
    {
        var reader = EvidenceReader(sha256: SHA256.hex)
        let digest = RunningSHA256()
        try Files.readPieces(of: file, limit: sizeLimit) { piece in
            digest.add(piece)
            reader.read(piece)
            return !reader.isDone
        }
        let log = reader.finish()
        guard log.permitsVerdict else {
            if mayBeOther, log.records.isEmpty, log.problems.allSatisfy(\.isOfOtherFile) {
                throw RunFolderError.noEvidence(file)
            }
            throw RunFolderError.unusableEvidence(
                path: file, problems: log.problems.filter(\.forbidsVerdict).map(\.description))
        }
        var controls: [RunEvidence] = []
        if let folder {
            for copy in controlCopies(in: folder) {
                controls.append(try read(file: copy, named: copy, folder: nil).evidence)
            }
        }
        return EvidenceFile(
            name: name,
            evidence: RunEvidence(records: log.records), path: file,
            sha256: digest.finish(), head: log.head,
            remarks: log.problems.map(\.description), controls: controls, folder: folder)
    }

    private static func controlCopies(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(RunFolder.controlsName)")) ?? []
        return names.filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(folder)/\(RunFolder.controlsName)/\($0)" }
    }
}

extension EvidenceProblem {
    /// As a file has it that is something else: a profile, a report.
    fileprivate var isOfOtherFile: Bool {
        switch kind {
        case .noHeader, .cutLastLine, .unreadable(.unreadable), .unreadable(.tooLong): true
        case .brokenChain, .unreadable(.unknownKind), .unreadable(.unknownSchema): false
        }
    }
}
