import Flows
import Foundation
import Loop
import Support
import Testing

@testable import Store

@Suite struct StoreFileTests {
    private static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    @Test("folders and files of a store are for their owner alone")
    func modes() throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(1)))
        #expect(try mode(of: test.folder.path + "/data") == 0o700)
        for name in try test.folder.names("data") {
            #expect(try mode(of: test.folder.path + "/data/" + name) == 0o600, "\(name)")
        }
        #expect(try test.folder.names("data").contains("flows.db-wal"))
        test.close()
    }

    @Test("a store that others could read is closed to them")
    func tightened() throws {
        let test = try StoreUnderTest()
        test.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: test.path)
        try FlowStore.open(path: test.path).close()
        #expect(try mode(of: test.path) == 0o600)
    }

    @Test("files that are no stores are refused, and left as they are")
    func foreign() throws {
        let folder = try TemporaryFolder()
        let texts = ["x", "SQLite format 3\0", String(repeating: "hello ", count: 1000)]
        for (index, text) in texts.enumerated() {
            let path = try folder.write("\(index)", Array(text.utf8))
            #expect(throws: StoreError.notAStore(path: path)) { try FlowStore.open(path: path) }
            #expect(throws: StoreError.notAStore(path: path)) { try FlowStore.reader(path: path) }
            #expect(try folder.text("\(index)") == text)
        }
        #expect(throws: StoreError.notAStore(path: folder.path)) { try FlowStore.open(path: folder.path) }
        let pipe = folder.path + "/pipe"
        try #require(unsafe mkfifo(pipe, 0o644) == 0)
        #expect(throws: StoreError.notAStore(path: pipe)) { try FlowStore.open(path: pipe) }
        #expect(throws: StoreError.notAStore(path: pipe)) { try FlowStore.reader(path: pipe) }
        #expect(throws: StoreError.notAStore(path: "/dev/null")) { try FlowStore.reader(path: "/dev/null") }
        #expect(try mode(of: pipe) == 0o644)
        #expect(try folder.names() == ["0", "1", "2", "pipe"])
    }

    @Test("a database of another program is refused, and left as it is")
    func otherDatabase() throws {
        let test = try StoreUnderTest()
        try test.store.pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA application_id = 1; PRAGMA wal_checkpoint(TRUNCATE)")
        }
        test.close()
        let before = try Self.bytes(test.path)
        #expect(throws: StoreError.notAStore(path: test.path)) { try FlowStore.open(path: test.path) }
        #expect(try Self.bytes(test.path) == before)
    }

    @Test("a store of a later version is refused by its header and by its migrations, and left as it is")
    func newer() throws {
        for sql in ["PRAGMA user_version = 99", "INSERT INTO grdb_migrations VALUES ('99')"] {
            let test = try StoreUnderTest()
            test.record(.flow(Samples.flow(1)))
            try test.store.pool.writeWithoutTransaction { db in
                try db.execute(sql: sql)
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            test.close()
            let before = try Self.bytes(test.path)
            #expect(throws: StoreError.newer(path: test.path)) { try FlowStore.open(path: test.path) }
            #expect(throws: StoreError.newer(path: test.path)) { try FlowStore.reader(path: test.path) }
            #expect(try Self.bytes(test.path) == before)
        }
        #expect(StoreError.newer(path: "a.db").cause == .configuration)
    }

    @Test("nobody reads a store that is not there, and none is made by that")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/none/flows.db"
        #expect(throws: StoreError.missing(path: path)) { try FlowStore.reader(path: path) }
        #expect(try folder.names() == [])
    }

    @Test("an empty file becomes a store")
    func empty() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("flows.db", [])
        try FlowStore.open(path: path).close()
        #expect(try StoreFile.content(of: path) == .ours)
    }

    @Test("two do not record into one store")
    func inUse() throws {
        let test = try StoreUnderTest()
        #expect(throws: StoreError.inUse(path: test.path)) { try FlowStore.open(path: test.path) }
        let reader = try FlowStore.reader(path: test.path)
        #expect(try reader.count() == 0)
        reader.close()
    }

    @Test("a store is the same by each of its names, and is made where a link leads")
    func links() throws {
        let folder = try TemporaryFolder()
        let (link, real) = (folder.path + "/link.db", folder.path + "/real.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.db")
        let store = try FlowStore.open(path: link)
        #expect(store.path == folder.path + "/real.db")
        #expect(throws: StoreError.inUse(path: real)) { try FlowStore.open(path: real) }
        #expect(throws: StoreError.inUse(path: real)) { try FlowStore.open(path: link) }
        let reader = try FlowStore.reader(path: link)
        #expect(try reader.count() == 0)
        reader.close()
        store.close()
    }

    @Test(
        "a store that is removed or replaced while it is recorded into stops the recording, and is told",
        arguments: [false, true])
    func removed(isReplaced: Bool) throws {
        let told = Locked<[StoreError]>([])
        let test = try StoreUnderTest(onFault: { fault in told.withLock { $0.append(fault) } })
        test.record(.flow(Samples.flow(1)))
        for suffix in ["", "-wal", "-shm"] { #expect(FileTree.removeFile(test.path + suffix)) }
        if isReplaced { try Data("mine".utf8).write(to: URL(filePath: test.path)) }
        test.record(.flow(Samples.flow(2)))
        #expect(told.withLock { $0 } == [.removed(path: test.path)])
        #expect(test.writer.dropped.flows == 1)
        test.close()
        #expect(Files.exists(test.path) == isReplaced)
        if isReplaced { #expect(try Data(contentsOf: URL(filePath: test.path)) == Data("mine".utf8)) }
    }

    @Test(
        "whoever follows a store that is removed or replaced is told, and does not wait for ever",
        arguments: [false, true])
    func followedAndRemoved(isReplaced: Bool) throws {
        let test = try StoreUnderTest()
        test.record(.flow(Samples.flow(1)))
        let reader = try FlowStore.reader(path: test.path)
        let changes = try reader.changes(since: 0)
        #expect(changes.flows.map(\.id) == [1])
        #expect(FileTree.removeFile(test.path))
        if isReplaced { try Data("mine".utf8).write(to: URL(filePath: test.path)) }
        #expect(throws: StoreError.removed(path: test.path)) { try reader.changes(since: changes.position) }
        // What was recorded is still there for whoever has it open.
        #expect(try reader.whole(1) != nil)
        reader.close()
        test.close()
    }

    @Test("a place that cannot be written to is told")
    func unusable() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", [1])
        #expect(throws: StoreError.self) { try FlowStore.open(path: file + "/flows.db") }
    }

    private static func recordOne(_ folder: TemporaryFolder) throws -> Int64 {
        let test = try StoreUnderTest(folder)
        let id = test.writer.nextID()
        test.record(.flow(Samples.flow(id)))
        test.close()
        return id
    }

    @Test("yesterday's store opens, with all that is in it, and numbers go on")
    func yesterday() throws {
        let folder = try TemporaryFolder()
        let first = try Self.recordOne(folder)
        let again = try StoreUnderTest(folder)
        #expect(try again.store.flow(first) == Samples.flow(first))
        #expect(again.writer.nextID() == first + 1)
        again.close()
    }

    @Test("a store that its disk is too full for is taken away as a whole, and not while somebody records into it")
    func erased() throws {
        let test = try StoreUnderTest(limits: StoreLimits(body: 10_000))
        var flow = Samples.flow(1)
        flow.response?.body = FlowBody(size: 40_000, kept: 40_000)
        test.record(.body(flow: 1, .down, Array(repeating: 7, count: 40_000)), .flow(flow))
        #expect(throws: StoreError.inUse(path: test.path)) { try FlowStore.erase(path: test.path) }
        let body = try #require(try test.store.bodyFile(of: 1, .down)).path
        test.store.close()
        try FlowStore.erase(path: test.path)
        #expect(![test.path, test.path + "-wal", body].contains(where: Files.exists))
        #expect(throws: StoreError.missing(path: test.path)) { try FlowStore.erase(path: test.path) }
        let anew = try FlowStore.open(path: test.path)
        #expect(try anew.count(matching: .everything) == 0)
        anew.close()
        let other = test.path + ".txt"
        try Data("not a store".utf8).write(to: URL(filePath: other))
        #expect(throws: StoreError.notAStore(path: other)) { try FlowStore.erase(path: other) }
        #expect(Files.exists(other))
    }

    @Test("a store that says what no store does is damaged, and ends nobody")
    func hostile() throws {
        for (sql, isFoundByReading) in [
            ("UPDATE flow SET duration = 'long'", true), ("UPDATE flow SET status = 'ok'", true),
            ("UPDATE ids SET used = \(Int64.max), reserved = \(Int64.max)", false),
        ] {
            let test = try StoreUnderTest()
            test.record(.flow(Samples.flow(1)))
            test.writer.close()
            try test.store.pool.write { try $0.execute(sql: sql) }
            if isFoundByReading {
                #expect { try test.store.statistics() } throws: { Self.isDamage($0) }
            } else {
                #expect { try FlowWriter(test.store) } throws: { Self.isDamage($0) }
            }
            test.store.close()
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        if case .damaged = error as? StoreError { true } else { false }
    }
}
