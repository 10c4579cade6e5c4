import Facts
import Flows
import Foundation
import GRDB
import Loop
import Support
import Testing

@testable import Store

@Suite struct BodyFilesTests {
    private static let limits = StoreLimits(body: 10_000)
    private static let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }

    /// A flow whose answer comes in pieces, each of them a transaction of its own, as far as `end`.
    private func record(_ id: Int64, _ test: StoreUnderTest, upTo end: Int = 40_000, isOver: Bool = true) throws {
        var flow = Samples.flow(id)
        flow.state = .open
        flow.response?.body = FlowBody()
        test.record(.flow(flow))
        for start in stride(from: 0, to: end, by: 4000) {
            let next = min(end, start + 4000)
            flow.response?.body = FlowBody(size: next, kept: next)
            test.record(.body(flow: id, .down, Array(Self.bytes[start..<next])), .flow(flow))
            #expect(try test.store.body(of: id, .down) == Array(Self.bytes[..<next]))
        }
        guard isOver else { return }
        flow.state = .complete
        flow.response?.body = Samples.body(Array(Self.bytes[..<end]))
        test.record(.flow(flow))
    }

    @Test("a body that is too large for the store lies in one file, for its owner alone, and reads as any other")
    func large() throws {
        let test = try StoreUnderTest(limits: Self.limits)
        try record(1, test)
        let (path, size) = try #require(try test.store.bodyFile(of: 1, .down))
        #expect(size == 40_000 && path == test.path + ".bodies/1-response")
        #expect(try mode(of: path) == 0o600)
        #expect(try mode(of: test.path + ".bodies") == 0o700)
        #expect(try test.store.flow(1)?.response?.body?.kept == 40_000)
        #expect(try test.store.whole(1)?.flow.responseBody == Self.bytes)
        #expect(test.store.size > 40_000)
        let pieces = try test.store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM piece") }
        #expect(pieces == 0)
        // One that comes at once, and one that is small enough.
        var flow = Samples.flow(2)
        flow.request?.body = Samples.body(Self.bytes.reversed())
        flow.response?.body = Samples.body([1, 2])
        test.record(.flow(flow), .body(flow: 2, .up, Self.bytes.reversed()), .body(flow: 2, .down, [1, 2]))
        #expect(try test.store.body(of: 2, .up) == Self.bytes.reversed())
        #expect(try test.store.bodyFile(of: 2, .down) == nil)
        test.close()
        let again = try StoreUnderTest(test.folder, limits: Self.limits)
        #expect(try again.store.body(of: 1, .down) == Self.bytes)
        again.close()
    }

    /// Puts a device that never has room (full(4)) in a file's place; root may, and not on every disk.
    private static func makeFull(_ path: String) -> Bool {
        #if os(Linux)
            let made = unsafe mknod(path, S_IFCHR | 0o600, 1 << 8 | 7)
            return made == 0 && (try? OpenFile(changing: path, isNew: true)) != nil
        #else
            return false
        #endif
    }

    private static let canFillDisks = (try? TemporaryFolder()).map { makeFull($0.path + "/full") } ?? false

    @Test(
        "a disk that is full for a body's file is told as the store's, and what is there can be read",
        .enabled(if: canFillDisks, "only root can make devices"))
    func fullDisk() throws {
        let told = Locked<[StoreError]>([])
        let test = try StoreUnderTest(limits: Self.limits, onFault: { fault in told.withLock { $0.append(fault) } })
        try record(1, test)
        let path = test.path + ".bodies/2-response"
        #expect(Self.makeFull(path))
        var flow = Samples.flow(2)
        flow.response?.body = Samples.body(Self.bytes.reversed())
        test.record(.flow(flow), .body(flow: 2, .down, Self.bytes.reversed()))
        test.record(.flow(Samples.flow(3)))
        let fault = StoreError.full(path: test.path)
        #expect(test.writer.fault == fault)
        #expect(told.withLock { $0 } == [fault])
        #expect(test.writer.dropped.flows == 2)
        #expect(try test.store.body(of: 1, .down) == Self.bytes)
        #expect(try test.store.flow(2) == nil)
        test.close()
    }

    /// Writes a flow with bytes of its answer, as one transaction.
    private func write(_ flow: Flow, _ bytes: [UInt8], _ writer: BatchWriter, _ test: StoreUnderTest) throws {
        let batch = ChangeQueue.Batch(changes: [.body(flow: flow.id, .down, bytes), .flow(flow)])
        try test.store.write { db in _ = try writer.write(batch, db) }
    }

    @Test(
        "a body whose file finds no descriptor says what is missing of it; heads are written, and the next body is kept",
        arguments: [[true, true], [false, true], [true, false], [false, false]])
    func noDescriptors(had: [Bool]) throws {
        let test = try StoreUnderTest(limits: Self.limits)
        var files = test.store.files
        let hasOne = Locked(true)
        files.open = { path, isNew throws(SystemError) in
            guard hasOne.withLock({ $0 }) else { throw SystemError("open", EMFILE) }
            return try OpenFile(changing: path, isNew: isNew)
        }
        let overflow = BodyShelf.Overflow(files: files, largest: Self.limits.body)
        let writer = BatchWriter(BodyShelf(files, overflow: overflow))
        // In two halves, and the hash that its recorder knows with the second.
        var flow = Samples.flow(1)
        flow.state = .open
        flow.response?.body = FlowBody(size: 20_000, kept: 20_000)
        hasOne.withLock { $0 = had[0] }
        try write(flow, Array(Self.bytes[..<20_000]), writer, test)
        #expect(writer.strays.bytes == (had[0] ? 0 : 20_000))
        flow.state = .complete
        flow.response?.body = Samples.body(Self.bytes)
        hasOne.withLock { $0 = had[1] }
        try write(flow, Array(Self.bytes[20_000...]), writer, test)
        #expect(writer.strays.bytes == (had == [true, true] ? 0 : 20_000))
        // What is kept is its beginning: nothing is put behind what is missing.
        let kept = had[0] ? had[1] ? Self.bytes : Array(Self.bytes[..<20_000]) : []
        let body = try #require(try test.store.flow(1)?.response?.body)
        #expect(body.kept == kept.count && body.shed == 40_000 - kept.count && body.size == 40_000)
        #expect((body.sha256 != nil) == (kept.count == 40_000))
        #expect(try test.store.body(of: 1, .down) == kept)
        // At once, and whole again: none shares what is not all there.
        for (id, isKept) in [(Int64(2), false), (3, true)] {
            var next = Samples.flow(id)
            next.response?.body = Samples.body(Self.bytes.reversed())
            hasOne.withLock { $0 = isKept }
            try write(next, Self.bytes.reversed(), writer, test)
            #expect(try test.store.body(of: id, .down) == (isKept ? Self.bytes.reversed() : []))
            #expect(try test.store.flow(id)?.response?.body?.shed == (isKept ? 0 : 40_000))
        }
        test.close()
    }

    @Test("it is kept once for each hash, and goes with the last flow that has it")
    func once() throws {
        let test = try StoreUnderTest(limits: Self.limits)
        let names = { try test.folder.names("data/flows.db.bodies") }
        try record(1, test)
        try record(2, test)
        #expect(try names() == ["1-response"])
        #expect(try test.store.body(of: 2, .down) == Self.bytes)
        try test.store.delete(matching: Samples.filter("id:1"))
        #expect(try test.store.body(of: 2, .down) == Self.bytes)
        try test.store.delete(matching: Samples.filter("id:2"))
        #expect(try names() == [])
        test.close()
    }

    @Test("files count for the store's limit, and are pruned with their flows")
    func pruned() throws {
        var limits = Self.limits
        limits.bytes = 1 << 20
        let test = try StoreUnderTest(limits: limits)
        for id in Int64(1)...60 {
            var flow = Samples.flow(id)
            let bytes = Self.bytes.map { $0 ^ UInt8(id) }
            flow.response?.body = Samples.body(bytes)
            test.record(.flow(flow), .body(flow: id, .down, bytes))
        }
        test.writer.settle()
        #expect(try test.store.flow(1) == nil)
        #expect(try test.store.whole(60)?.flow.responseBody == Self.bytes.map { $0 ^ 60 })
        let names = try test.folder.names("data/flows.db.bodies")
        #expect(names.count == (try test.store.count()) && !names.contains("1-response"))
        #expect(test.store.size <= 1 << 20)
        test.close()
    }

    @Test("a file that is gone is told by its name, and harms nothing else")
    func gone() throws {
        let test = try StoreUnderTest(limits: Self.limits)
        try record(1, test)
        let path = try #require(try test.store.bodyFile(of: 1, .down)?.path)
        try Data(Self.bytes[..<500]).write(to: URL(filePath: path))
        // Who hands out the file itself says first how long it is.
        #expect(throws: StoreError.bodyGone(path: path)) { try test.store.bodyFile(of: 1, .down) }
        #expect(throws: StoreError.bodyGone(path: path)) { try test.store.body(of: 1, .down) }
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: StoreError.bodyGone(path: path)) { try test.store.bodyFile(of: 1, .down) }
        #expect(throws: StoreError.bodyGone(path: path)) { try test.store.body(of: 1, .down) }
        let whole = try #require(try test.store.whole(1))
        #expect(whole.gone == [.down] && whole.flow.responseBody == [])
        #expect(try test.store.ids(matching: Samples.filter("body:nothing")) == [])
        #expect(try test.store.delete() == 1)
        test.close()
    }

    @Test("of a recorder that was killed as much is there as it had said, and what nobody knows of goes")
    func killed() throws {
        let test = try StoreUnderTest(limits: Self.limits)
        try record(1, test, upTo: 24_000, isOver: false)
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: test.folder.path + "/data", toPath: copy.path + "/data")
        let file = copy.path + "/data/flows.db.bodies/1-response"
        var longer = try Data(contentsOf: URL(filePath: file))
        longer.append(contentsOf: [1, 2, 3])
        try longer.write(to: URL(filePath: file))
        _ = try copy.write("data/flows.db.bodies/9-request", [1])
        let next = try StoreUnderTest(copy, limits: Self.limits)
        #expect(try next.store.body(of: 1, .down) == Array(Self.bytes[..<24_000]))
        #expect(try next.store.flow(1)?.response?.body?.kept == 24_000)
        #expect(try copy.names("data/flows.db.bodies") == ["1-response"])
        next.close()
        test.close()
    }

    @Test("a store of the first version becomes one of this, with all that is in it")
    func migrated() throws {
        let folder = try TemporaryFolder()
        let test = try StoreUnderTest(folder)
        test.record(.flow(Samples.flow(1)), .flow(Samples.flow(2)))
        let position = try test.store.position
        test.close()
        let queue = try DatabaseQueue(path: test.path)
        try queue.write { db in
            try db.execute(
                sql: """
                    DROP TABLE file; ALTER TABLE ids DROP COLUMN change;
                    DELETE FROM grdb_migrations WHERE identifier = '2'; PRAGMA user_version = 1
                    """)
        }
        try queue.close()
        let reader = try FlowStore.reader(path: test.path)
        #expect(try reader.count() == 2)
        #expect(try reader.position == position)
        reader.close()
    }

    @Test("names that are not made here lead nowhere: nothing is read, nothing removed")
    func foreignNames() throws {
        for name in [
            "../../secret", "/etc/hostname", "1-response/../../../secret", "notes.txt", "01-response", "1-responses",
        ] {
            let folder = try TemporaryFolder()
            _ = try folder.write("secret", Array("keep me".utf8))
            let test = try StoreUnderTest(folder, limits: Self.limits)
            try record(1, test)
            test.writer.close()
            let notes = test.path + ".bodies/notes.txt"
            try Data("mine".utf8).write(to: URL(filePath: notes))
            try test.store.pool.write { try $0.execute(sql: "UPDATE file SET name = ?, size = 4", arguments: [name]) }
            #expect(throws: StoreError.self) { try test.store.body(of: 1, .down) }
            #expect(throws: StoreError.self) { try test.store.bodyFile(of: 1, .down) }
            #expect(try test.store.delete() == 1)
            test.store.close()
            // A new recorder clears up.
            let again = try StoreUnderTest(folder, limits: Self.limits)
            #expect(try folder.text("secret") == "keep me")
            #expect(Files.exists(notes))
            #expect(!Files.exists(test.path + ".bodies/1-response"))
            again.close()
        }
    }

    @Test("a folder that is a link to another is refused, and what lies there stays")
    func linkedFolder() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/data", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path + "/other", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: folder.path + "/other/7-request"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/data/flows.db.bodies", withDestinationPath: folder.path + "/other")
        #expect { try StoreUnderTest(folder) } throws: { "\($0)".contains("is a link") }
        #expect(try folder.names("other") == ["7-request"])
    }

    @Test("a link in a body's place is not followed")
    func linkedFile() throws {
        let test = try StoreUnderTest(limits: Self.limits)
        try record(1, test)
        let path = test.path + ".bodies/1-response"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: test.path)
        #expect(throws: StoreError.bodyGone(path: path)) { try test.store.body(of: 1, .down) }
        test.close()
    }
}
