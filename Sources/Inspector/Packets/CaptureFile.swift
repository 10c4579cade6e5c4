import Facts
import Loop

/// The file that packets are written into: new, its owner's alone.
///
/// A capture that stands there already is replaced, as by every program that captures; anything else is left alone.
enum CaptureFile {
    /// - Throws: `FileError`, or `CaptureFileError` where something else is there.
    static func open(_ path: String) throws -> OpenFile {
        switch Files.kind(path) {
        case nil: break
        case .file?:
            guard try isCapture(path) else { throw CaptureFileError(path: path) }
            _ = FileTree.removeFile(path)
        case .folder?: throw FileError.cannotWrite(path: path, reason: "it is a folder")
        case .link?: throw FileError.cannotWrite(path: path, reason: "it is a symbolic link; name the file itself")
        case .stream?: throw FileError.cannotWrite(path: path, reason: "it is not a regular file")
        }
        do throws(SystemError) { return try OpenFile(creating: path, mode: 0o600) } catch {
            throw FileError.cannotWrite(path: path, reason: Files.reason(error))
        }
    }

    /// It is empty, or begins as pcapng files do.
    private static func isCapture(_ path: String) throws -> Bool {
        do throws(SystemError) {
            let start = try OpenFile(reading: path).next()
            return start.isEmpty || start.starts(with: [0x0a, 0x0d, 0x0d, 0x0a])
        } catch {
            throw FileError.cannotWrite(path: path, reason: Files.reason(error))
        }
    }
}

/// A file that stands where packets are to be written, and is no capture.
struct CaptureFileError: ExplainedError, Hashable {
    var path: String

    var cause: ErrorCause { .configuration }

    var explanations: [Explanation] {
        [
            Explanation(
                "\(path): this file is there already, and it is no pcapng file; it is left as it is",
                hints: ["name another file with --pcapng, or remove this one"])
        ]
    }
}
