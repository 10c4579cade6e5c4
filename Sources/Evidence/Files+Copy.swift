import Loop
import TLS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
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

    /// Copies what a folder holds to a new one: files, folders and links. A socket or a pipe is nothing that lasts, and is
    /// left out.
    static func copyFolder(_ path: String, to new: String) throws(FileError) {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: false)
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                let (old, copy) = ("\(path)/\(name)", "\(new)/\(name)")
                switch kind(old) {
                case .folder: try copyFolder(old, to: copy)
                case .file: try FileManager.default.copyItem(atPath: old, toPath: copy)
                case .link:
                    let target = try FileManager.default.destinationOfSymbolicLink(atPath: old)
                    try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: target)
                case .stream, nil: break
                }
            }
            // Last: it may be a folder that nothing can be written into.
            if let mode = attributes[.posixPermissions] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: new)
            }
        } catch let error as FileError {
            throw error
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
    }
}
