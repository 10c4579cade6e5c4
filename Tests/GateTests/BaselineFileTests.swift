import Console
import Foundation
import Loop
import Testing
import Verdict

@testable import Gate

@Suite struct BaselineFileTests {
    private func written(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "pinproof-baseline-\(UUID()).json").path
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func complaint(about text: String) throws -> Complaint {
        let path = try written(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try #require(throws: Complaint.self) { try BaselineFile.read(path) }
    }

    @Test("what is written reads back, and stands in a stable order, an entry a line")
    func roundTrip() throws {
        let baseline = Baseline([
            .init(host: "b.test", finding: "retry-storm"), .init(host: nil, finding: "undeclared-host"),
            .init(host: "a.test", finding: "weak-pin"), .init(host: "a.test", finding: "no-recovery"),
        ])
        let text = String(decoding: BaselineFile.bytes(of: baseline), as: UTF8.self)
        #expect(
            text == """
                {
                  "schema": "pinproof.baseline/1",
                  "findings": [
                    {"host": null, "finding": "undeclared-host"},
                    {"host": "a.test", "finding": "no-recovery"},
                    {"host": "a.test", "finding": "weak-pin"},
                    {"host": "b.test", "finding": "retry-storm"}
                  ]
                }

                """)
        let path = try written(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try BaselineFile.read(path) == baseline)
    }

    @Test("a baseline that is missing or odd is a mistake of the configuration, told with what one looks like")
    func mistakes() throws {
        let missing = try #require(throws: Complaint.self) { try BaselineFile.read("/nowhere/baseline.json") }
        #expect(missing.status == .configuration)
        #expect(missing.description.contains("no such file"))
        #expect(missing.description.contains("--write-baseline"))
        for (text, words) in [
            ("", "not JSON"), ("[]", "of the wrong type"), ("{}", "\"schema\" is missing"),
            ("{\"schema\": \"pinproof.baseline/9\", \"findings\": []}", "pinproof.baseline/9"),
            ("{\"schema\": \"pinproof.baseline/1\"}", "\"findings\" is missing"),
            ("{\"schema\": \"pinproof.baseline/1\", \"findings\": [{\"host\": \"a\"}]}", "\"finding\" is missing"),
            ("{\"schema\": \"pinproof.baseline/1\", \"findings\": [{\"host\": \"a\", \"finding\": \"\"}]}", "entry 1"),
            ("{\"schema\": \"pinproof.baseline/1\", \"findings\": [{\"host\": 3, \"finding\": \"x\"}]}", "wrong type"),
        ] {
            let told = try complaint(about: text)
            #expect(told.status == .configuration)
            #expect(told.description.contains(words), "\(told)")
        }
    }

    @Test("that a baseline cannot be written is found out before the run, and nothing is left there")
    func unwritable() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baselines-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try BaselineChoice(write: folder.path + "/known.json").baseline() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        // What the command makes itself is there when it is needed.
        let run = folder.path + "/run"
        #expect(try BaselineChoice(write: run + "/known.json", out: run).baseline() == nil)
        for (path, reason) in [
            (folder.path, "it is a folder"), (folder.path + "/none/known.json", "no such file or folder"),
            ("/proc/known.json", ""),
        ] {
            let error = try #require(throws: FileError.self) { try BaselineChoice(write: path).baseline() }
            #expect(error.description.contains("\(path): cannot write: \(reason)"), "\(error)")
        }
    }
}
