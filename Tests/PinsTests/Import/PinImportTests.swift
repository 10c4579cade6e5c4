import Facts
import Testing

@testable import Pins

@Suite("What an import says of each pattern")
struct PinImportTests {
    private func object(_ files: [PinFile]) throws -> JSONValue {
        try JSONValue.parse(PinImport(files).json)
    }

    @Test("the JSON has one object for each pattern, with the contract's keys")
    func json() {
        let nsc = file(
            "nsc.xml", .androidNSC,
            [entry(".example.com", [pin(1), malformedPin("AA")], .androidNSC, line: 7, expires: "2027-06-01")],
            notes: [PinNote(.malformedPin, line: 9, "AA is no pin")])
        let text = String(decoding: PinImport([nsc]).json, as: UTF8.self)
        #expect(
            text == """
                {
                  "schema": "pinproof.import/1",
                  "files": [
                    {"path": "nsc.xml", "format": "android-nsc"}
                  ],
                  "hosts": [
                    {
                      "host": "example.com",
                      "pattern": "example.com",
                      "pins": [
                        "\(pin(1).name)",
                        "sha256/AA"
                      ],
                      "part": "any",
                      "leaf_pins": [],
                      "ca_pins": [],
                      "pinned": true,
                      "pins_known": true,
                      "enforced": true,
                      "expires": "2027-06-01",
                      "format": "android-nsc",
                      "file": "nsc.xml",
                      "line": 7
                    },
                    {
                      "host": "example.com",
                      "pattern": "**.example.com",
                      "pins": [
                        "\(pin(1).name)",
                        "sha256/AA"
                      ],
                      "part": "any",
                      "leaf_pins": [],
                      "ca_pins": [],
                      "pinned": true,
                      "pins_known": true,
                      "enforced": true,
                      "expires": "2027-06-01",
                      "format": "android-nsc",
                      "file": "nsc.xml",
                      "line": 7
                    }
                  ],
                  "notes": [
                    {"id": "malformed-pin", "file": "nsc.xml", "line": 9, "text": "AA is no pin"},
                    {"id": "expiration", "file": "nsc.xml", "line": 7, "text": "the pins of example.com are off from \
                2027-06-01 on: every valid chain passes then"}
                  ]
                }

                """)
    }

    @Test("where a platform unites, what counts stands beside what is declared")
    func effective() {
        let plist = file(
            "Info.plist", .appleATS,
            [
                entry("+.example.com", [pin(1, .leaf)], .appleATS, line: 3),
                entry("api.example.com", [pin(2, .ca), pin(1, .leaf)], .appleATS, line: 9),
            ])
        let found = PinImport([plist])
        #expect(found.hosts.map(\.pattern?.description) == ["example.com", "*.example.com", "api.example.com"])
        #expect(found.hosts.map(\.part) == ["leaf", "leaf", "leaf-and-ca"])
        #expect(found.hosts.map(\.effectivePins) == [[pin(1).name], [pin(1).name], [pin(1).name, pin(2).name]])
        #expect(found.hosts[2].keyPins(.ca) == [pin(2).name] && found.hosts[2].keyPins(.leaf) == [pin(1).name])
        #expect(found.notes.map(\.note.id) == [.union])
        #expect(found.notes[0].note.text == "the pins of line 3 count for api.example.com, too")
        let nsc = file("n.xml", .androidNSC, [entry("a.com", [pin(1)], .androidNSC)])
        #expect(PinImport([nsc]).hosts[0].effectivePins == nil)
    }

    @Test("a key in both of Apple's lists is one pin of their union")
    func union() throws {
        let plist = file(
            "Info.plist", .appleATS, [entry("a.com", [pin(1, .leaf), pin(2, .leaf), pin(1, .ca)], .appleATS)])
        let host = try #require(try JSONValue.parse(PinImport([plist]).json)["hosts"]?.array?.first)
        #expect(host["pins"] == .array([.string(pin(1).name), .string(pin(2).name)]))
        #expect(host["ca_pins"] == .array([.string(pin(1).name)]))
        #expect(host["effective_pins"] == host["pins"])
    }

    @Test("certificates' hashes are no pins of keys")
    func certificates() {
        let flutter = file("main.dart", .flutter, [entry("a.com", [pin(1, .leaf, .certificateSHA256)], .flutter)])
        let found = PinImport([flutter])
        #expect(
            found.hosts[0].keyPins() == [] && found.hosts[0].certificatePins == [pin(1, .leaf, .certificateSHA256).name]
        )
        #expect(found.notes.map(\.note.id) == [.certificatePins])
        let text = String(decoding: found.json, as: UTF8.self)
        #expect(
            text.contains("\"certificate_pins\": [\n        \"certificate-sha256/0101") && !text.contains("\"sha256/"))
    }

    @Test("an entry without pins that shadows is told, once, and one that shadows nothing is not")
    func shadows() {
        let hosts = [
            entry(".example.com", [pin(1)], .androidNSC, line: 3), entry("cdn.example.com", [], .androidNSC, line: 9),
            entry("other.org", [], .androidNSC, line: 12),
        ]
        let found = PinImport([file("n.xml", .androidNSC, hosts)])
        #expect(found.notes.map(\.note.id) == [.shadows] && found.notes[0].note.line == 9)
        #expect(
            found.notes[0].note.text
                == "cdn.example.com is not pinned: this entry has no pins, and the one of example.com in line 3 does not "
                + "count for it")
        let said = PinNote(.shadows, line: 9, "as the reader puts it")
        #expect(PinImport([file("n.xml", .androidNSC, hosts, notes: [said])]).notes.map(\.note) == [said])
    }

    @Test("a host that is not known is null, and so is its pattern")
    func unknownHost() {
        let header = file("h.txt", .hpkp, [entry(nil, [pin(1)], .hpkp, line: 2, enforced: false)])
        let text = String(decoding: PinImport([header]).json, as: UTF8.self)
        #expect(text.contains("\"host\": null,\n      \"pattern\": null,"))
        #expect(PinImport([header]).notes.map(\.note.id) == [.reportOnly])
    }

    @Test("a terminal shows entries with their lines, and nothing of a file plays tricks on it")
    func text() {
        let hosts = [
            entry(".a.com", [pin(1), malformedPin("x\u{1b}[2J")], .androidNSC, line: 7, expires: "2027-01-01"),
            entry("b.a.com", [], .androidNSC, line: 12),
            entry("c.com", [], .androidNSC, line: 13, known: false, pinned: true),
        ]
        #expect(
            PinImport([file("n.xml", .androidNSC, hosts)]).text == """
                n.xml (android-nsc)
                   7  a.com, **.a.com
                        \(pin(1).name)
                        sha256/x\\u{1b}[2J  malformed, matches nothing
                        off from 2027-01-01 on
                  12  b.a.com
                        not pinned
                  13  c.com
                        other pins are not at hand
                  line 7: the pins of a.com are off from 2027-01-01 on: every valid chain passes then
                  line 12: b.a.com is not pinned: this entry has no pins, and the one of a.com in line 7 does not count for it

                """)
        #expect(PinImport([file("e.xml", .androidNSC, [])]).text == "e.xml (android-nsc)\n  no pins\n")
    }

    @Test("many entries for one host end soon")
    func hostile() {
        let hosts = (0..<5_000).map { entry(".a.com", [pin(UInt8($0 % 256))], .okHttp, line: $0 + 1) }
        #expect(PinImport([file("x.kt", .okHttp, hosts)]).hosts.count == 10_000)
    }
}
