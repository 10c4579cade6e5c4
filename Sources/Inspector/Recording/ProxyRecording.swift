import Coding
import Console
import Facts
import Filters
import Flows
import Loop
import Proxy
import Store
import TLS

/// What `pinproof proxy` records with: recorder, store and the lines at the terminal.
final class ProxyRecording: Sendable {
    let store: FlowStore?
    private let writer: FlowWriter?
    private let recorder: FlowRecorder
    private let lines: ExchangeLines?

    /// - Parameters:
    ///   - mutes: flows of which the terminal is not told.
    ///   - look: shown every flow as it changes, on the recorder's thread.
    /// - Throws: `StoreError` where the store cannot be used, `SystemError` where there can be no thread.
    init(
        _ options: RecordingOptions, mutes: Filter? = nil, console: Console,
        look: @escaping @Sendable ([FlowChange]) -> Void = { _ in }
    ) throws {
        let writer = try options.store.map { path in
            let limits = StoreLimits(bytes: options.keep, days: Double(options.keepDays), body: options.maxBody)
            return try FlowWriter(
                FlowStore.open(path: path, limits: limits, tools: .linked), limits: limits,
                onFault: { fault in
                    let reason = fault.explanations.map(\.message).joined(separator: "; ")
                    let hints = fault.explanations.flatMap(\.hints) + ["then start the proxy again"]
                    console.warn("warning: recording has stopped, and the proxy goes on: \(reason)")
                    console.warn("hint: \(hints.joined(separator: "; "))")
                })
        }
        self.writer = writer
        store = writer?.store
        // Elsewhere they would only be in the way of what is looked for in a log.
        let lines =
            console.isTerminal && console.loudness >= .normal
            ? try ExchangeLines(console, mutes: mutes, isStored: options.store != nil) : nil
        self.lines = lines
        // In memory a body never is as a whole, and in the store only up to the limit: the rest is as large as the disk.
        let (most, whole) = (options.maxBody, options.store == nil ? [] : options.keepBodies)
        let limits: FlowRecorder.Limits = { host in
            let isKept = host.map { host in whole.contains { $0.matches(host) } } ?? false
            return ConnectionRecorder.Limits(body: isKept ? .max : most, raw: most)
        }
        let own = Locked<Int64>(0)
        recorder = try FlowRecorder(
            limits: limits, tools: { .recording },
            newID: {
                if let writer { return writer.nextID() }
                return own.withLock { next in
                    next += 1
                    return next
                }
            },
            sink: { changes in
                writer?.record(changes)
                lines?.note(changes)
                look(changes)
            })
    }

    var tap: any ExchangeTap { recorder.feed }

    /// Whoever sits at the terminal sees what is recorded.
    var showsLines: Bool { lines != nil }

    func note(_ connection: Observation) { recorder.note(connection) }

    /// Waits until what has passed so far has been told.
    func catchUp() async { await recorder.catchUp() }

    /// Waits until what was told so far is in the store, for so many seconds at most; whether it is.
    func flush(seconds: Double?) -> Bool { writer?.flush(seconds: seconds) ?? true }

    /// Flows, messages and connections that are not in the store.
    var droppedCount: Int {
        let dropped = writer?.dropped ?? DroppedCount()
        return recorder.missed + dropped.flows + dropped.messages
    }

    /// Why nothing is written any more.
    var fault: String? { writer?.fault.map { $0.description } }

    /// After the proxy has stopped: tells and writes what is left.
    func finish(_ console: Console) async {
        await recorder.finish()
        lines?.stop()
        if let muted = lines?.muted, muted > 0 {
            console.say("\(English.count(muted, "flow")) muted; pinproof flows list --muted shows them")
        }
        if recorder.missed > 0 {
            console.warn(
                "warning: the recorder could not keep up: \(English.count(recorder.missed, "connection")) not recorded")
        }
        if recorder.shed > 0 {
            console.warn(
                "warning: the recorder could not keep up: \(recorder.shed) bytes of bodies were left out; "
                    + "the flows they belong to say so")
        }
        guard let writer else { return }
        writer.close()
        let dropped = writer.dropped
        if !dropped.isEmpty, writer.fault == nil {
            console.warn(
                "warning: more came than could be written in time: \(dropped.bytes) bytes of bodies and \(dropped.messages) messages "
                    + "are not in the store; \(English.count(dropped.flows, "flow")) \(dropped.flows == 1 ? "is" : "are") not in it, "
                    + "or not to the end (tag:\(ConnectionRecorder.incompleteTag))")
        }
        // The page has gone: what still reads reads for nobody, as long as a search for a rare text takes.
        store?.close(patience: 0.5)
    }
}

/// What is recorded, and how much of it is kept.
package struct RecordingOptions: Hashable, Sendable {
    /// nil: `--no-store`.
    package var store: String?
    /// Page and API are served as well.
    package var hasPage = true
    /// Bytes of one body.
    package var maxBody = 16 * 1024 * 1024
    /// Bytes of the store's files together.
    package var keep = 4 * 1024 * 1024 * 1024
    package var keepDays = usualDays
    package static let usualDays = Int(StoreLimits().days)
    /// Hosts whose bodies are kept as a whole, in files.
    package var keepBodies: [KeptHosts] = []

    package init(store: String?) { self.store = store }

    /// With neither there is nobody to record for, and the proxy is as fast as it can be.
    var recordsAnything: Bool { store != nil || hasPage }
}

extension DecodingTools {
    /// With the digest of this program's own TLS library; for one thread.
    static var recording: DecodingTools {
        var tools = DecodingTools.linked
        let bodies = RepeatedSHA256()
        tools.digest = { RunningDigest(bodies.begin()) }
        return tools
    }
}

private final class RunningDigest: BodyDigest {
    private let digest: RepeatedSHA256.Digest
    init(_ digest: RepeatedSHA256.Digest) { self.digest = digest }
    func add(_ bytes: ArraySlice<UInt8>) { digest.add(bytes) }
    func finish() -> String { digest.finish() }
    var known: ArraySlice<UInt8>? { digest.known }
}

extension StoreTools {
    static var linked: StoreTools {
        StoreTools(
            content: { ContentCoding.decoder(for: $0, limit: $1) }, sha256: { SHA256.digest($0) },
            text: { Array(Charset.text($0, charset: $1).text.utf8) })
    }
}
