import Coding
import Console
import Facts
import Flows
import Formats
import Loop
import Store

/// `pinproof flows import`: what others have recorded, and what was exported here.
package struct FlowsImport: Sendable {
    package enum Format: String, Hashable, Sendable { case har, jsonl, chlsj, saz }

    package struct Outcome: Hashable, Sendable {
        package var flows = 0
        /// Of them, those that are older than a proxy keeps flows, if it is not told otherwise.
        package var old = 0
        package var faults: [ImportFault] = []
        /// Faults that were not kept.
        package var moreFaults = 0
    }

    private let store: FlowStore
    private let file: String
    private let format: Format

    /// Faults that are told; a file with more is another kind of file.
    static let faultLimit = 20
    /// Flows of one transaction, and bytes: a store of any size is filled in steady memory.
    private static let batch = (flows: 500, bytes: 32 * 1024 * 1024)

    /// - Throws: `Complaint` where the file's name tells no format.
    package init(_ file: String, into store: FlowStore) throws {
        self.file = file
        self.store = store
        let ending = file.split(separator: "/").last?.split(separator: ".").last?.lowercased() ?? ""
        guard let format = Format(rawValue: ending) else {
            throw Complaint(
                "\(file): its name tells no format",
                hints: ["name a file that ends in .har, .jsonl, .chlsj (Charles) or .saz (Fiddler)"], status: .usage)
        }
        self.format = format
    }

    /// A store that is not there yet is made.
    package static func run(_ file: String, intoStoreAt path: String) throws -> Outcome {
        let isNew = !Files.exists(path)
        if isNew {
            var outputs = OutputPaths()
            outputs.add("--store", path)
            try outputs.requireFolders()
        }
        let store =
            isNew ? try FlowStore.open(path: path, tools: .linked) : try FlowStore.reader(path: path, tools: .linked)
        defer { store.close() }
        return try FlowsImport(file, into: store).run()
    }

    package func run(now: Double = WallClock.now) throws -> Outcome {
        var outcome = Outcome()
        let old = now - Double(RecordingOptions.usualDays) * 86_400
        var waiting: [WholeFlow] = []
        var bytes = 0
        func take(_ steps: [ImportStep]) throws {
            for step in steps {
                switch step {
                case .flow(let recorded):
                    let whole = WholeFlow(recorded)
                    waiting.append(whole)
                    bytes += whole.requestBody.count + whole.responseBody.count
                case .fault(let fault):
                    if outcome.faults.count < Self.faultLimit {
                        outcome.faults.append(fault)
                    } else {
                        outcome.moreFaults += 1
                    }
                }
                if waiting.count >= Self.batch.flows || bytes >= Self.batch.bytes { try insert() }
            }
        }
        func insert() throws {
            outcome.flows += try store.insert(waiting).count
            outcome.old += waiting.count { $0.flow.started < old }
            waiting = []
            bytes = 0
        }
        switch format {
        case .har:
            var reader = HARReader(encode: Charset.bytes)
            try readPieces { try take(reader.read($0[...])) }
            try take(reader.finish())
        case .jsonl:
            var reader = JSONLinesReader()
            try readPieces { try take(reader.read($0[...])) }
            try take(reader.finish())
        case .chlsj:
            var reader = CharlesReader(encode: Charset.bytes)
            try readPieces { try take(reader.read($0[...])) }
            try take(reader.finish())
        case .saz: try readArchive { try take([$0]) }
        }
        if !waiting.isEmpty { try insert() }
        return outcome
    }
}

extension FlowsImport {
    private func readPieces(_ take: ([UInt8]) throws -> Void) throws {
        do {
            let input = try OpenFile(reading: file)
            while true {
                let piece = try input.next()
                guard !piece.isEmpty else { return }
                try take(piece)
            }
        } catch let error as SystemError {
            throw FileError.cannotRead(path: file, reason: Files.reason(error))
        }
    }

    /// An archive is read from its end, so it has to be there as a whole; what is in it is taken one by one.
    private func readArchive(_ take: (ImportStep) throws -> Void) throws {
        var failure: (any Error)?
        func step(_ step: ImportStep) {
            guard failure == nil else { return }
            do { try take(step) } catch { failure = error }
        }
        let bytes = try Files.read(file, limit: Self.archiveLimit)
        do throws(ImportFault) {
            try FiddlerArchive.read(
                bytes,
                inflate: { limit in
                    let decoder = ContentCoding.decoder(for: "deflate", limit: limit)
                    return { packed in
                        guard let decoder, let piece = try? decoder.decode(packed), !decoder.isCut else { return nil }
                        return piece
                    }
                },
                decode: { body, codings in
                    guard let decoder = ContentCoding.decoder(for: codings, limit: FlowsAccess.decodedLimit) else {
                        return nil
                    }
                    return try? decoder.decode(body[...])
                }, step: step)
        } catch {
            step(.fault(error))
        }
        if let failure { throw failure }
    }

    /// Archives of a day's work have some hundred megabytes.
    private static let archiveLimit = 1024 * 1024 * 1024
}

extension WholeFlow {
    init(_ recorded: RecordedFlow) {
        self.init(
            recorded.flow, requestBody: recorded.request.kept ?? [], responseBody: recorded.response.kept ?? [],
            messages: recorded.messages, requestRaw: recorded.rawUp, responseRaw: recorded.rawDown)
    }
}
