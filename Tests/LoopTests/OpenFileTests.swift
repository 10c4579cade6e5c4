import Foundation
import Loop
import Testing

@Test("a file is handed out in pieces that make it up, and an empty one in none", arguments: [0, 1, 262_144, 700_001])
func pieces(size: Int) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try Data(content).write(to: file)
    let reader = try OpenFile(reading: file.path)
    var read: [UInt8] = []
    while case let piece = try reader.next(), !piece.isEmpty { read += piece }
    #expect(read == content)
    #expect(try reader.next().isEmpty)
}

@Test("what is not there, and what cannot be read, are the system's errors")
func unreadable() throws {
    #expect(throws: SystemError("open", ENOENT)) { try OpenFile(reading: "/nowhere") }
    #expect(throws: SystemError("read", EISDIR)) { try OpenFile(reading: "/").next() }
}
