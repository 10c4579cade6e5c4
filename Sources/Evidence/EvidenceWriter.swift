import Facts
import Loop
import TLS

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Appends a run's records to `evidence.jsonl`, from any thread.
///
/// One write call and one link of the chain a line.
///
/// It never throws at the caller: loop threads cannot do anything about a full disk. The first failure is kept as
/// `fault`, nothing is written after it (a chain with a hole is worth nothing), and the run ends with it.
package final class EvidenceWriter: Sendable {
    /// Makes a record's line (without newline), given the hash of the line before; the codec's, injected.
    package typealias Encode = @Sendable (_ record: EvidenceRecord, _ previous: String) throws -> [UInt8]
    /// SHA-256 in lower-case hex.
    package typealias Hash = @Sendable (_ line: [UInt8]) -> String

    /// Lines kept for judging: at about 1.5 KB each, 300 MB. More connections than this in one run are a client gone
    /// wild, and the run says so instead of eating the machine.
    package static let lineLimit = 200_000

    /// Bytes that a pipe's or terminal's reader has not taken: of some 10,000 connections.
    static let waitingLimit = 16 << 20
    /// Seconds for what such a reader has not taken at the end; one that has stood still for longer is none.
    static let patience = 2.0

    private struct State {
        var previous = EvidenceLine.noPrevious
        var introductions = ChainIntroductions()
        var records: [EvidenceRecord] = []
        /// In bytes.
        var written = 0
        var fault: String?
        var isClosed = false
    }

    package let path: String
    private let descriptor: FileDescriptor
    /// Where somebody may read it slowly; nil for a file.
    private let outbox: LineOutbox?
    private let encode: Encode
    private let hash: Hash
    private let keepsRecords: Bool
    /// The file that is written, where it is to be judged from again.
    private let identity: FileStatus.Identity?
    private let state = Locked(State())

    /// Creates the file; it must not exist yet.
    ///
    /// - Parameter keepsRecords: false for the debugging proxy, which judges nothing and runs for days.
    package convenience init(
        path: String, keepsRecords: Bool = true, encode: @escaping Encode = EvidenceLine.encode,
        hash: @escaping Hash = SHA256.hex
    ) throws(FileError) {
        try self.init(path, [.create, .exclusiveCreate, .append], keepsRecords, encode, hash)
    }

    /// Writes to what is there, such as a device or a pipe.
    convenience init(
        appendingTo path: String, keepsRecords: Bool = true, encode: @escaping Encode = EvidenceLine.encode,
        hash: @escaping Hash = SHA256.hex
    ) throws(FileError) {
        try self.init(path, [.append], keepsRecords, encode, hash)
    }

    /// A log of the debugging proxy. An older one is kept once more, as `FILE.1`; a device, a pipe, and the process's
    /// own streams are written to. A link is refused: whoever made it chose the file that would be written.
    package convenience init(
        log path: String, encode: @escaping Encode = EvidenceLine.encode
    ) throws(FileError) {
        if let stream = Self.ownStream(path) {
            try self.init(path, keepsRecords: false, isStream: true, encode, SHA256.hex) { try stream.duplicate() }
            return
        }
        switch Files.kind(path) {
        case nil: try self.init(path: path, keepsRecords: false, encode: encode)
        case .folder: throw .cannotWrite(path: path, reason: "it is a folder")
        case .link: throw .cannotWrite(path: path, reason: "it is a symbolic link; name the file that it leads to")
        case .stream: try self.init(appendingTo: path, keepsRecords: false, encode: encode)
        case .file:
            let older = path + ".1"
            if let kind = Files.kind(older), kind != .file {
                throw .cannotWrite(path: older, reason: "something other than an older log is there")
            }
            // The one is put aside, the other replaced: what is nobody's log must be neither.
            for file in [path, older] where try !Self.isLog(file) {
                throw .cannotWrite(
                    path: file, reason: "this file is no evidence of pinproof's, and is left as it is; name another")
            }
            try Files.move(path, to: older)
            try self.init(path: path, keepsRecords: false, encode: encode)
        }
    }

    /// It is not there, is empty, or begins as a line of evidence does: of any version, and cut short at either end.
    private static func isLog(_ path: String) throws(FileError) -> Bool {
        guard Files.kind(path) != nil else { return true }
        do {
            let start = try OpenFile(reading: path).next()
            return start.isEmpty || start.starts(with: #"{"kind":""#.utf8)
        } catch {
            throw .cannotWrite(path: path, reason: Files.reason(error))
        }
    }

    /// `/dev/stdout` and `/dev/stderr` are links, to whatever the process was given: that is meant, and no path leads there.
    private static func ownStream(_ path: String) -> FileDescriptor? {
        switch path {
        case "/dev/stdout": .standardOutput
        case "/dev/stderr": .standardError
        default: nil
        }
    }

    private convenience init(
        _ path: String, _ options: FileDescriptor.OpenOptions, _ keepsRecords: Bool, _ encode: @escaping Encode,
        _ hash: @escaping Hash
    ) throws(FileError) {
        // What is judged is written before anybody goes on.
        let isStream = !options.contains(.create) && !keepsRecords
        let options = options.union([.closeOnExec, .noFollow])
        let open = { (more: FileDescriptor.OpenOptions) in
            try FileDescriptor.open(
                FilePath(path), .writeOnly, options: options.union(more), permissions: .ownerReadWrite)
        }
        // A pipe that nobody reads would be waited for in the opening; held open so, it is opened at once.
        var probe: FileDescriptor?
        if isStream {
            do { probe = try open(.nonBlocking) } catch Errno.noSuchAddressOrDevice {
                throw .cannotWrite(path: path, reason: "nobody reads this pipe; start its reader first")
            } catch {
                throw .cannotWrite(path: path, reason: Files.reason(error))
            }
        }
        defer { try? probe?.close() }
        try self.init(path, keepsRecords: keepsRecords, isStream: isStream, encode, hash) { try open([]) }
    }

    private init(
        _ path: String, keepsRecords: Bool, isStream: Bool, _ encode: @escaping Encode, _ hash: @escaping Hash,
        open: () throws -> FileDescriptor
    ) throws(FileError) {
        self.path = path
        self.encode = encode
        self.hash = hash
        self.keepsRecords = keepsRecords
        let descriptor: FileDescriptor
        do {
            descriptor = try open()
        } catch {
            throw .cannotWrite(path: path, reason: Files.reason(error))
        }
        self.descriptor = descriptor
        let status = keepsRecords && !isStream ? try? FileStatus(of: path, followingLinks: false) : nil
        identity = status?.kind == .file ? status?.identity : nil
        outbox =
            isStream
            ? LineOutbox("evidence", limit: Self.waitingLimit) { _ = try descriptor.writeAll($0) } : nil
    }

    /// Writes one line. After a fault, and after `close`, it does nothing.
    package func append(_ record: EvidenceRecord) {
        state.withLock { state in
            guard state.fault == nil, !state.isClosed else { return }
            if keepsRecords, state.records.count >= Self.lineLimit {
                state.fault = "more than \(Self.lineLimit) lines of evidence in one run"
                return
            }
            let record = state.introductions.introducing(record)
            do {
                let line = try encode(record, state.previous)
                if let outbox {
                    guard outbox.add(line) else {
                        state.fault = "\(path): cannot write: its reader does not keep up"
                        return
                    }
                } else {
                    try descriptor.writeAll(line + [UInt8(ascii: "\n")])
                    state.written += line.count + 1
                }
                state.previous = hash(line)
                if keepsRecords { state.records.append(record) }
            } catch {
                state.fault = "\(path): cannot write: \(Files.reason(error))"
            }
        }
    }

    /// Notes a fault found elsewhere, such as a presented chain that could not be kept; the first one stays.
    package func fail(_ reason: String) { state.withLock { $0.fault = $0.fault ?? reason } }

    /// Notes a fault where the file is not what was written any more: whoever judges it again would come to something else.
    package func check() {
        guard let identity else { return }
        state.withLock { state in
            guard state.fault == nil, !state.isClosed else { return }
            let status = try? FileStatus(of: path, followingLinks: false)
            guard status?.identity != identity || status?.size != state.written else { return }
            state.fault =
                "\(path): it was removed, replaced or changed while it was written; "
                + "keep COMMAND, and what cleans up beside it, away from the run's folder"
        }
    }

    /// Why the evidence is not complete; nil while it is.
    package var fault: String? {
        state.withLock { $0.fault } ?? outbox?.fault.map { "\(path): cannot write: \($0)" }
    }

    /// What was written so far, in order: the record at index `i` is line `i + 1`.
    package var records: [EvidenceRecord] { state.withLock { $0.records } }

    /// SHA-256 of the last line that was written: who has it knows of every line before.
    package var head: String { state.withLock { $0.previous } }

    /// Ends the file; records that still arrive are dropped.
    package func close() {
        check()
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        // The thread that waits for a reader goes on with it.
        guard outbox?.finish(within: Self.patience) ?? true else {
            return fail("\(path): cannot write: its reader has not taken the last lines")
        }
        do { try descriptor.close() } catch { fail("\(path): cannot write: \(Files.reason(error))") }
    }

    deinit { close() }
}
