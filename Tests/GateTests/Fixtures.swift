import Facts
import Loop
import Policy
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@testable import Gate

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/pinproof-gate-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    /// An executable shell script.
    func script(_ name: String, _ lines: String) throws -> String {
        let file = "\(path)/\(name)"
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        return file
    }

    func names(_ folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }
}

func host(_ text: String) throws -> HostName { try #require(HostName(text)) }

func sampleProfile(_ hosts: [(String, HostExpectation)] = [("api.test", .refuse)]) throws -> Profile {
    Profile(
        name: "sample",
        rules: try hosts.map { HostRule(pattern: try #require(HostPattern($0.0)), expect: $0.1) })
}

func sampleHeader() -> RunHeader {
    RunHeader(
        pinproof: "0", openssl: "3", libevent: "2", started: "2026-01-01T00:00:00Z", profile: "sample",
        profileSHA256: "00", ca: RunHeader.CA(sha256: "11", scope: []), coldStarts: 1, attacks: [.trustedCA],
        options: [:])
}

/// A line format and a hash that are easy to read back; the real ones are tested where they are made.
enum SimpleLines {
    static func encode(_ record: EvidenceRecord, _ previous: String) -> [UInt8] {
        Array("\(previous) \(record.kind)".utf8)
    }
    static func hash(_ line: [UInt8]) -> String {
        String(line.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 16)
    }

    static func writer(_ path: String) throws -> EvidenceWriter {
        try EvidenceWriter(path: path, encode: encode, hash: hash)
    }
}

extension Console {
    /// One whose output is kept.
    static func recording(
        _ output: Locked<String>, loudness: Loudness = .normal, isTerminal: Bool = false, width: Int = defaultWidth
    ) -> Console {
        let append: Console.Write = { text in output.withLock { $0 += text } }
        return Console(loudness: loudness, isTerminal: isTerminal, width: width, errors: append, results: append)
    }
}
