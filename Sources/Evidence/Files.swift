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

/// The few file operations the gate needs, with its own errors.
enum Files {
    /// The path made absolute against the current folder, `.` and `..` resolved textually.
    static func absolute(_ path: String) -> String {
        let full = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        return FilePath(full).lexicallyNormalized().string
    }

    /// Shorter to read where the path lies below the current folder.
    static func relative(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) && path.count > here.count ? String(path.dropFirst(here.count)) : path
    }

    /// Follows symbolic links, as what is done with the path will.
    static func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path + "/.")) != nil
    }

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// A plain file, not a link, device or pipe.
    static func isRegular(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeRegular
    }

    /// Replaces what stands at the new place.
    static func move(_ path: String, to new: String) throws(GateError) {
        do {
            try? FileManager.default.removeItem(atPath: new)
            try FileManager.default.moveItem(atPath: path, toPath: new)
        } catch {
            throw .cannotWrite(path: new, reason: reason(error))
        }
    }

    /// nil when the folder cannot be listed.
    static func isEmpty(_ folder: String) -> Bool? {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)).map(\.isEmpty)
    }

    static func makeFolders(_ path: String) throws(GateError) {
        guard !isFolder(path) else { return }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    /// Makes exactly this folder; false when the name was taken. One system call: two at once cannot both get true.
    static func makeNewFolder(_ path: String) throws(GateError) -> Bool {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            return true
        } catch {
            if exists(path) { return false }
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    /// Readers see the old file or the whole new one: it is written beside it and renamed.
    static func writeAtomically(_ bytes: some Sequence<UInt8>, to path: String) throws(GateError) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, reason: reason(error))
        }
    }

    static func read(_ path: String, limit: Int) throws(GateError) -> [UInt8] {
        if isFolder(path) { throw .cannotRead(path: path, reason: "it is a folder") }
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= limit else {
                throw GateError.cannotRead(path: path, reason: "larger than \(limit >> 20) MiB")
            }
            return Array(try Data(contentsOf: URL(filePath: path)))
        } catch let error as GateError {
            throw error
        } catch {
            throw .cannotRead(path: path, reason: reason(error))
        }
    }

    /// The system's word for a failure, lower case, without Foundation's wrapping.
    static func reason(_ error: any Error) -> String {
        if let errno = error as? Errno { return errno.description.lowercased() }
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
