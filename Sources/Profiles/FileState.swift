import Loop

/// What a path leads to, as far as reading it is concerned.
package enum FileState: Hashable, Sendable {
    case readable, missing, directory, notReadable
    /// A device, a socket, a pipe: it may never end.
    case special
    /// The system cannot open it just now, which says nothing about the file.
    case failed(SystemError)

    /// What lies at `path` on this machine; symbolic links are followed.
    package static func onDisk(_ path: String) -> FileState {
        do throws(SystemError) {
            // Asked before opening, which can do something to a device.
            switch try FileStatus(of: path).kind {
            case .folder: return .directory
            case .link, .other: return .special
            case .file: _ = try OpenFile(reading: path)
            }
            return .readable
        } catch {
            return FileState(error)
        }
    }

    init(_ error: SystemError) {
        self =
            error.isNotFound || error.isNotAFolder ? .missing : error.isPermissionDenied ? .notReadable : .failed(error)
    }

    /// For judging from evidence alone, where the profile's material is not needed and may be elsewhere.
    package static func assumed(_ path: String) -> FileState { .readable }
}
