import Console
import Facts
import Loop
import TLS

/// The files that `--artefact` names as what is tested.
///
/// They are hashed piece by piece, and never held whole.
enum ArtefactFile {
    /// Stores take apps of 4 GiB, and archives of debug builds are larger; beyond this it is a disk image.
    static let byteLimit = 16 << 30
    /// An app in its variants, a mapping file, a set of pins.
    static let limit = 32

    /// - Parameter look: what an app says of itself; nil for what is none.
    static func read(_ paths: [String], look: GateSession.AppLook = { _ in nil }) throws -> [RunHeader.Artefact] {
        guard paths.count <= limit else {
            throw Complaint(
                "more than \(limit) artefacts", hints: ["name the app, not what it is made of"], status: .usage)
        }
        var artefacts: [RunHeader.Artefact] = []
        for path in paths {
            var artefact = try read(path)
            artefact.app = try look(path)
            guard !artefacts.contains(where: { $0.file == artefact.file }) else {
                throw Complaint(
                    "--artefact \(path): another artefact is called \(artefact.file) as well",
                    hints: ["reports tell artefacts by their file's name: each needs one of its own"], status: .usage)
            }
            artefacts.append(artefact)
        }
        return artefacts
    }

    private static func read(_ path: String) throws -> RunHeader.Artefact {
        guard !Files.isFolder(path) else {
            throw Complaint(
                "--artefact \(path): a folder, where a file is needed",
                hints: ["name the archive that is shipped (.apk, .aab, .ipa), or a zip of the folder"], status: .usage)
        }
        // Of a pipe there would be nothing left to be looked into, and one without a writer never ends.
        if let status = try? FileStatus(of: path), status.kind != .file {
            throw Complaint(
                "--artefact \(path): no file, but a pipe, a socket or a device",
                hints: ["write it to a file first, and name that"], status: .usage)
        }
        let digest = RunningSHA256()
        var count = 0
        try Files.readPieces(of: path, limit: byteLimit) { piece in
            digest.add(piece)
            count += piece.count
            return true
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return RunHeader.Artefact(file: name, sha256: digest.finish(), bytes: count)
    }
}
