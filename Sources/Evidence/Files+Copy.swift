import Loop
import TLS

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

extension Files {
    /// Copies a file to a new one; it has to be the one whose SHA-256 is known already.
    static func copy(_ path: String, sha256: String, limit: Int, to new: String) throws(FileError) {
        let copy: FileDescriptor
        do {
            copy = try FileDescriptor.open(
                FilePath(new), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
        defer { try? copy.close() }
        let digest = RunningSHA256()
        try readPieces(of: path, limit: limit) { piece throws(FileError) in
            digest.add(piece)
            do { try copy.writeAll(piece) } catch { throw .cannotWrite(path: new, reason: reason(error)) }
            return true
        }
        guard digest.finish() == sha256 else {
            throw .cannotRead(path: path, reason: "it has changed since it was read first")
        }
    }
}
