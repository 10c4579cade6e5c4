import Flows
import Foundation
import Store
import Testing

@testable import Inspector

struct FlowsImportTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/pinproof-import-\(UUID().uuidString)"

    @Test("flows that a proxy would remove for their age are counted, and those that have not ended")
    func old() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let now = 1_767_225_600.0
        var lines: [UInt8] = []
        for (index, days) in [1.0, 29, 31, 400].enumerated() {
            let started = now - days * 86_400
            lines += Flow(id: Int64(index + 1), kind: .http, state: .complete, started: started).json + [0x0a]
        }
        try Data(lines).write(to: URL(fileURLWithPath: folder + "/a.jsonl"))
        let store = try FlowStore.open(path: folder + "/flows.db", tools: .linked)
        defer { store.close() }
        let outcome = try FlowsImport(folder + "/a.jsonl", into: store).run(now: now)
        #expect(outcome.flows == 4 && outcome.old == 2)
        let writer = try FlowWriter(store, limits: StoreLimits(days: 36_500))
        defer { writer.close() }
        let access = try FlowsAccess(store: folder + "/flows.db")
        defer { access.store.close() }
        #expect(try access.openCount() == 0)
        writer.record([.flow(Flow(id: writer.nextID(), kind: .http, state: .open, started: now))])
        writer.flush()
        #expect(try access.openCount() == 1)
    }
}
