import Facts
import Foundation
import Testing
import Verdict

@testable import Report

@Suite struct SeenStacksTests {
    private static func input(_ hosts: [HostVerdict], _ hellos: [(host: String, HelloFacts)]) -> ReportInput {
        var input = Samples.input(Judgement(result: .pass, hosts: hosts))
        input.runs = [
            RunEvidence(
                hellos.enumerated().map { index, seen in
                    var connection = Observation(connection: UInt64(index + 1), trial: 1)
                    connection.host = HostName(seen.host)
                    connection.hello = seen.1
                    return EvidenceRecord.connection(connection)
                })
        ]
        return input
    }

    private static func hello(_ stack: String, _ names: [StackName]) -> HelloFacts {
        HelloFacts(ja4: "t13d", stack: stack, likelyStacks: names)
    }

    private static let leaking = input(
        [Samples.leaking],
        [
            (Samples.leaking.host, hello("a", [.dart])), (Samples.leaking.host, hello("a", [.dart])),
            (Samples.leaking.host, hello("b", [])), ("elsewhere.example", hello("c", [.go])),
        ])

    @Test("a host has the stacks that came for it, counted, with or without a name")
    func counted() {
        let seen = SeenStacks(Self.leaking).stacks(of: Samples.leaking)
        #expect(seen.map(\.title) == ["dart:io (Flutter)", "unknown"])
        #expect(seen.map(\.connections) == [2, 1])
        #expect(
            SeenStacks(Self.leaking).line
                == "dart:io (Flutter): \(Samples.leaking.host); unknown: \(Samples.leaking.host)")
    }

    @Test("reports tell them, and their traps where a host that should refuse was not shown to")
    func told() {
        let trap = "badCertificateCallback never sees a chain that is trusted"
        let table = TableReport().text(Self.leaking)
        #expect(table.contains("stacks") && table.contains("dart:io (Flutter)"))
        #expect(table.contains("note     badCertificateCallback"))
        #expect(HTMLReport.text(Self.leaking).contains("Known of it: \(trap)"))
        let json = String(decoding: JSONReport.bytes(Self.leaking), as: UTF8.self)
        #expect(json.contains(trap) && json.contains("\"dart-io\""))

        let met = Self.input([Samples.pinned], [(Samples.pinned.host, Self.hello("a", [.dart]))])
        #expect(SeenStacks(met).traps.isEmpty)
        #expect(TableReport().text(met).contains("dart:io (Flutter)"))
    }

    @Test("without a name nothing is said in the table")
    func unknown() {
        let input = Self.input([Samples.pinned], [(Samples.pinned.host, Self.hello("a", []))])
        #expect(SeenStacks(input).line == nil)
        #expect(!TableReport().text(input).contains("stacks"))
    }

    @Test("hellos without end are not kept")
    func bounded() {
        let hellos = (0..<20).map { (Samples.pinned.host, Self.hello("\($0)", [])) }
        #expect(SeenStacks(Self.input([Samples.pinned], hellos)).stacks(of: Samples.pinned).count == SeenStacks.limit)
    }

    @Test("docs/stacks.md has a row for each name and each trap", arguments: StackName.allCases)
    func documented(_ name: StackName) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/stacks.md"), encoding: .utf8)
        #expect(page.contains("| `\(name.rawValue)` |"))
        let words = page.replacing("`", with: "")
        for trap in StackGuide(name).traps {
            #expect(
                words.contains(trap.replacing(".NET: ", with: "")), "\(trap)")
        }
    }
}
