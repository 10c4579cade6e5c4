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
    /// Writes a new file for its owner alone, whatever the umask is.
    static func writePrivate(_ bytes: some Sequence<UInt8>, to new: String) throws(FileError) {
        do {
            let file = try FileDescriptor.open(
                FilePath(new), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter { _ = try file.writeAll(bytes) }
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
    }

    /// Copies a file to a new one, for its owner alone; it has to be the one whose SHA-256 is known already.
    static func copy(_ path: String, sha256: String, limit: Int, to new: String) throws(FileError) {
        let copy: FileDescriptor
        do {
            copy = try FileDescriptor.open(
                FilePath(new), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
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

    /// How much a copy of a folder may take.
    ///
    /// What an app keeps for itself is far less; one that fills its folder is to fill neither the disk nor each start's time.
    struct CopyBudget {
        /// Bytes that are there: the holes of a file are holes in its copy.
        var bytes = 4 << 30
        /// Files, folders and links.
        var entries = 200_000
        /// Folders within each other.
        var depth = 200
    }

    /// Copies what a folder holds to a new one: files, folders and links, with their owners (where this user may give files
    /// away), modes and times. A socket or a pipe is nothing that lasts, and is left out.
    static func copyFolder(_ path: String, to new: String) throws(FileError) {
        var budget = CopyBudget()
        try copyFolder(path, to: new, &budget)
    }

    static func copyFolder(_ path: String, to new: String, _ budget: inout CopyBudget) throws(FileError) {
        guard budget.depth > 0 else { throw .cannotWrite(path: new, reason: "\(path) lies too deep to be copied") }
        budget.depth -= 1
        defer { budget.depth += 1 }
        do {
            let folder = try OpenFile(folder: path)
            try FileManager.default.createDirectory(
                atPath: new, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for name in try FileTree.entries(of: path, whole: true) {
                let (old, copy) = ("\(path)/\(name)", "\(new)/\(name)")
                budget.entries -= 1
                guard budget.entries >= 0 else {
                    throw FileError.cannotWrite(path: copy, reason: "\(path) holds too many files to be copied")
                }
                do {
                    try copyOne(old, to: copy, &budget)
                } catch {
                    // What an app removes meanwhile is not there any more.
                    guard kind(old) == nil else { throw error }
                }
            }
            // Last: it may be a folder that nothing can be written into, and each entry makes it a new one.
            try OpenFile(folder: new).liken(to: folder)
        } catch let error as FileError {
            throw error
        } catch let error as SystemError where error.isIllegalName {
            throw .cannotWrite(path: new, reason: "\(path) holds a name that is no UTF-8")
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
    }

    private static func copyOne(_ old: String, to copy: String, _ budget: inout CopyBudget) throws {
        switch kind(old) {
        case .folder: try copyFolder(old, to: copy, &budget)
        case .file:
            let file = try OpenFile(reading: old, followingLinks: false)
            let (data, size) = try file.extents()
            let count = data.reduce(0) { $0 + $1.count }
            guard count <= budget.bytes else {
                throw FileError.cannotWrite(
                    path: copy, reason: "with \(old) there is too much to be copied (at most 4 GiB)")
            }
            budget.bytes -= count
            let made = try OpenFile(creating: copy, mode: 0o600)
            try file.copy(data, size, to: made)
            // Last: it may be a file that nothing can be written into.
            try made.liken(to: file)
        case .link:
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: old)
            try FileManager.default.createSymbolicLink(atPath: copy, withDestinationPath: target)
            FileTree.likenLink(copy, to: old)
        case .stream, nil: break
        }
    }

    /// Removes a folder with all that is in it, also where nothing may be written into some of that. What is somebody else's
    /// stays.
    static func removeFolder(_ path: String) {
        guard kind(path) == .folder else { return }
        if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
        makeWritable(path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func makeWritable(_ folder: String) {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let inner = "\(folder)/\(name)"
            if kind(inner) == .folder { makeWritable(inner) }
        }
    }
}
