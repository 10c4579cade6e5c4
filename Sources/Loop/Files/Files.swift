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

/// Paths, and files as whole things: asked about, read, written and moved.
package enum Files {
    /// The path made absolute against the current folder, `.` and `..` resolved textually.
    package static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return FilePath(full).lexicallyNormalized().string
    }

    /// Shorter to read where the path lies below the current folder.
    package static func relative(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) && path.count > here.count ? String(path.dropFirst(here.count)) : path
    }

    /// Follows symbolic links, as what is done with the path will.
    package static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path + "/.")) != nil
    }

    /// Where a symbolic link leads in the end, though nothing may be there yet; else the path itself.
    package static func target(_ path: String) -> String {
        var path = path
        // So many the system follows as well.
        for _ in 0..<40 {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = FilePath(path).removingLastComponent().string
            path = next.hasPrefix("/") ? next : folder + "/" + next
        }
        return path
    }

    package static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    package enum Kind { case file, folder, link, stream }

    /// What is there, links not followed; nil where nothing is. A device, a pipe and a socket are streams.
    ///
    /// Not Foundation's attributes, which look up the owner's name in a file: where no more files can be opened, it would
    /// seem that nothing is there.
    package static func kind(_ path: String) -> Kind? {
        switch try? FileStatus(of: path, followingLinks: false).kind {
        case nil: nil
        case .file: .file
        case .folder: .folder
        case .link: .link
        case .other: .stream
        }
    }

    /// What is there once links are followed, and is neither a file nor a folder.
    private static func isStream(_ path: String) -> Bool {
        (try? FileStatus(of: path).kind) == .other
    }

    /// Replaces what stands at the new place.
    package static func move(_ path: String, to new: String) throws(FileError) {
        do {
            try? FileManager.default.removeItem(atPath: new)
            try FileManager.default.moveItem(atPath: path, toPath: new)
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
    }

    /// nil when the folder cannot be listed.
    package static func isEmpty(_ folder: String) -> Bool? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)).map(\.isEmpty)
    }

    package static func makeFolders(_ path: String) throws(FileError) {
        guard !isFolder(path) else { return }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    /// Makes exactly this folder; false when the name was taken. One system call: two at once cannot both get true.
    package static func makeNewFolder(_ path: String) throws(FileError) -> Bool {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            return true
        } catch {
            if exists(path) { return false }
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    /// Readers see the old file or the whole new one: it is written beside it and renamed. A device or a pipe
    /// (`/dev/stderr`) is written to, not replaced.
    package static func writeAtomically(_ bytes: some Sequence<UInt8>, to path: String) throws(FileError) {
        do {
            if isStream(path) {
                let stream = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.closeOnExec])
                try stream.closeAfter { _ = try stream.writeAll(bytes) }
                return
            }
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    /// Whether `writeAtomically` has a place there, asked before hours are spent on what will be written. Nothing is changed.
    package static func requireWritable(_ path: String) throws(FileError) {
        guard !isStream(path) else { return }
        if isFolder(path) { throw .cannotWrite(path: path, reason: "it is a folder") }
        let place = FilePath(path)
        let probe = place.removingLastComponent().appending(
            ".pinproof-\(ProcessControl.ownID)-\(UInt32.random(in: 0...(.max)))")
        do {
            try FileDescriptor.open(
                probe, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
            ).close()
        } catch {
            throw .cannotWrite(path: path, reason: reason(error))
        }
        _ = FileTree.removeFile(probe.string)
    }

    package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        try readPieces(of: path, limit: limit) { piece in
            bytes += piece
            return true
        }
        return bytes
    }

    /// Hands out a file piece by piece, until it ends or `take` says that it wants no more.
    package static func readPieces(
        of path: String, limit: Int, _ take: ([UInt8]) throws(FileError) -> Bool
    ) throws(FileError) {
        if isFolder(path) { throw .cannotRead(path: path, reason: "it is a folder") }
        let file: OpenFile
        do { file = try OpenFile(reading: path, waiting: true) } catch {
            throw .cannotRead(path: path, reason: reason(error))
        }
        var count = 0
        while true {
            let piece: [UInt8]
            do { piece = try file.next() } catch { throw .cannotRead(path: path, reason: reason(error)) }
            guard !piece.isEmpty else { return }
            count += piece.count
            guard count <= limit else {
                throw .cannotRead(path: path, reason: "larger than \(limit >> 20) MiB")
            }
            guard try take(piece) else { return }
        }
    }

    /// Whether a failure, in the words of `reason`, is that too many files are open.
    package static func isOutOfDescriptors(_ reason: String) -> Bool {
        reason.contains(Errno.tooManyOpenFiles.description.lowercased())
            || reason.contains(Errno.tooManyOpenFilesInSystem.description.lowercased())
    }

    /// The system's word for a failure, lower case, without Foundation's wrapping.
    package static func reason(_ error: any Error) -> String {
        if let errno = error as? Errno {
            return errno == .noSuchFileOrDirectory ? "no such file or folder" : errno.description.lowercased()
        }
        if let error = error as? SystemError {
            return error.isNotFound ? "no such file or folder" : error.reason
        }
        if let cocoa = error as? CocoaError {
            switch cocoa.code {
            case .fileNoSuchFile, .fileReadNoSuchFile: return "no such file or folder"
            case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
            case .fileWriteOutOfSpace: return "no space left on device"
            case .fileWriteVolumeReadOnly: return "read-only file system"
            case .fileWriteFileExists: return "it exists already"
            default:
                if let posix = cocoa.underlying as? POSIXError {
                    return Errno(rawValue: posix.code.rawValue).description.lowercased()
                }
                return "input/output error"
            }
        }
        return "\(error)"
    }
}
