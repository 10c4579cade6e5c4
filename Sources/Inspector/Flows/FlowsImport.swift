import Console
import Facts
import Flows
import Formats
import Loop
import Store

/// `pinproof flows import`: what others have recorded, and what was exported here.
package struct FlowsImport: Sendable {
    package enum Format: String, Hashable, Sendable { case har, jsonl }

    package struct Outcome: Hashable, Sendable {
        package var flows = 0
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
                "\(file): its name tells no format", hints: ["name a file that ends in .har or .jsonl"], status: .usage)
        }
        self.format = format
    }

    /// A store that is not there yet is made.
    package static func run(_ file: String, intoStoreAt path: String) throws -> Outcome {
        let isNew = !Files.exists(path)
        let store = isNew ? try FlowStore.open(path: path, tools: .linked) : try FlowStore.reader(path: path, tools: .linked)
        defer { store.close() }
        return try FlowsImport(file, into: store).run()
    }

    package func run() throws -> Outcome {
        var outcome = Outcome()
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
                    if outcome.faults.count < Self.faultLimit { outcome.faults.append(fault) } else { outcome.moreFaults += 1 }
                }
                if waiting.count >= Self.batch.flows || bytes >= Self.batch.bytes { try insert() }
            }
        }
        func insert() throws {
            outcome.flows += try store.insert(waiting).count
            waiting = []
            bytes = 0
        }
        let input = try OpenFile(reading: file)
        var har = HARReader()
        var lines = JSONLinesReader()
        while true {
            let piece = try input.next()
            guard !piece.isEmpty else { break }
            try take(format == .har ? har.read(piece[...]) : lines.read(piece[...]))
        }
        try take(format == .har ? har.finish() : lines.finish())
        if !waiting.isEmpty { try insert() }
        return outcome
    }
}

extension WholeFlow {
    init(_ recorded: RecordedFlow) {
        self.init(
            recorded.flow, requestBody: recorded.request.kept ?? [], responseBody: recorded.response.kept ?? [],
            messages: recorded.messages, requestRaw: recorded.rawUp, responseRaw: recorded.rawDown)
    }
}
