#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a path leads to, as far as reading it is concerned.
package enum FileState: Hashable, Sendable {
    case readable, missing, directory, notReadable
    /// A device, a socket, a pipe: it may never end.
    case special

    /// What lies at `path` on this machine; symbolic links are followed.
    package static func onDisk(_ path: String) -> FileState {
        let resolved = target(of: path)
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: resolved)
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            return .notReadable
        } catch {
            return .missing
        }
        switch attributes[.type] as? FileAttributeType {
        case .typeDirectory?: return .directory
        case .typeRegular?: return FileManager.default.isReadableFile(atPath: resolved) ? .readable : .notReadable
        default: return .special
        }
    }

    /// For judging from evidence alone, where the profile's material is not needed and may be elsewhere.
    package static func assumed(_ path: String) -> FileState { .readable }

    static func size(_ path: String) -> Int? {
        let size = (try? FileManager.default.attributesOfItem(atPath: target(of: path)))?[.size]
        // Which of the two depends on whether all of Foundation is in the process.
        return size as? Int ?? (size as? UInt64).flatMap { Int(exactly: $0) }
    }

    /// attributesOfItem does not follow the last link itself, and a profile may well be one.
    private static func target(of path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
