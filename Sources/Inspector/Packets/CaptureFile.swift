import Facts
import Loop

/// The file that packets are written into: new, its owner's alone.
///
/// A capture that stands there already is replaced, as by every program that captures; anything else is left alone. It
/// comes back where nothing was captured after all, and one that is being written is not touched.
final class CaptureFile: Sendable {
    let file: OpenFile
    private let path: String
    private let lock: Locked<FileLock?>
    /// Where the capture of before is until this one has begun.
    private let previous: String?

    private init(_ file: OpenFile, _ path: String, previous: String?) throws {
        self.file = file
        self.path = path
        self.previous = previous
        lock = Locked(try FileLock(path))
    }

    /// Nothing more is written.
    func release() { lock.withLock { $0 = nil } }

    /// The capture has begun: the one of before is not needed any more.
    func keep() { if let previous { _ = FileTree.removeFile(previous) } }

    /// Nothing was captured: what was there before is there again.
    func giveBack() {
        if let previous { try? FileTree.rename(previous, to: path) } else { _ = FileTree.removeFile(path) }
    }

    /// - Throws: `FileError`, or `CaptureFileError` where something else is there.
    static func open(_ path: String) throws -> CaptureFile {
        var previous: String?
        switch Files.kind(path) {
        case nil: break
        case .file?:
            guard try isCapture(path) else { throw CaptureFileError(path: path) }
            guard try FileLock(path) != nil else {
                throw FileError.cannotWrite(path: path, reason: "another pinproof writes its packets into it")
            }
            let aside = path + ".previous"
            if Files.kind(aside) != nil, try !isCapture(aside) { throw CaptureFileError(path: aside) }
            try Files.move(path, to: aside)
            previous = aside
        case .folder?: throw FileError.cannotWrite(path: path, reason: "it is a folder")
        case .link?: throw FileError.cannotWrite(path: path, reason: "it is a symbolic link; name the file itself")
        case .stream?: throw FileError.cannotWrite(path: path, reason: "it is not a regular file")
        }
        do {
            return try CaptureFile(try OpenFile(creating: path, mode: 0o600), path, previous: previous)
        } catch {
            if let previous { try? FileTree.rename(previous, to: path) }
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
