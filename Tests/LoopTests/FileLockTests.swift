import Foundation
import Testing

@testable import Loop

@Suite struct FileLockTests {
    @Test("one at a time holds a lock, and it is free when that one is gone")
    func held() throws {
        let path = FileManager.default.temporaryDirectory.path + "/lock-\(UUID().uuidString)"
        defer { _ = FileTree.removeFile(path) }
        var first = try FileLock(path)
        #expect(first != nil)
        #expect(try FileLock(path) == nil)
        #expect(try FileStatus(of: path).mode == 0o600)
        first = nil
        #expect(try FileLock(path) != nil)
    }

    @Test("a lock that cannot be made is an error")
    func impossible() {
        #expect(throws: SystemError.self) { try FileLock("/nowhere/at/all/lock") }
    }
}
