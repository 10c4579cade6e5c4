import Facts
import Testing

@testable import Pins

@Suite("pins.json")
struct PinsJSONTests {
    private static let a = CurlReaderTests.a
    private static let b = CurlReaderTests.b

    private func list(_ text: String) throws -> (PinList, [PinNote]) {
        #expect(PinsJSONReader.recognises(PinFileContent(text)))
        var notes: [PinNote] = []
        return (try PinsJSONReader.list(PinFileContent(text), notes: &notes), notes)
    }

    private static func text(_ hosts: String) -> String {
        "{\"schema\": \"pinproof.pin-list/1\", \"hosts\": [\n\(hosts)\n]}"
    }

    @Test("every member is read, with lines")
    func members() throws {
        let (list, notes) = try list(
            Self.text(
                """
                {"host": "API.example.com", "include_subdomains": "all", "part": "ca", "expires": "2027-06-01",
                 "enforced": false, "comment": "c",
                 "pins": ["sha256/\(Self.a)",
                   {"pin": "sha256/\(Self.b)", "name": "spare", "backup": true, "part": "leaf", "comment": "d"}]},
                {"host": "b.example", "include_subdomains": "one", "include_itself": false, "pins": ["sha256/AAAA"]},
                {"host": null, "pins": ["certificate-sha256/\(String(repeating: "0a", count: 32))"]}
                """))
        let first = list.hosts[0]
        #expect(first.name == "api.example.com" && first.reach == [.itself, .descendants] && first.line == 2)
        #expect(first.expires == CalendarDate("2027-06-01") && !first.isEnforced && first.comment == "c")
        #expect(first.pins.map(\.declared.part) == [.ca, .leaf] && first.pins.map(\.declared.line) == [4, 5])
        #expect(first.pins[1].name == "spare" && first.pins[1].isBackup && first.pins[1].comment == "d")
        #expect(list.hosts[1].reach == .children && list.hosts[1].pins[0].declared.digest == nil)
        #expect(list.hosts[2].name == nil && list.hosts[2].pins[0].declared.kind == .certificateSHA256)
        #expect(notes == [PinNote(.malformedPin, line: 6, "\"sha256/AAAA\" is not 32 bytes in base64")])
        let file = try PinsJSONReader.read(
            PinFileContent(Self.text("{\"host\": \"a.example\", \"pins\": [\"sha256/\(Self.a)\"]}")), path: "pins.json")
        #expect(file.format == .neutral && file.hosts.map(\.format) == [.neutral] && file.hosts[0].isPinned)
    }

    @Test("what is written is read back as the same list")
    func roundTrip() throws {
        let pin = DeclaredPin(base64: Self.a, line: 1)
        let leaf = DeclaredPin(base64: Self.b, part: .leaf, line: 1)
        let broken = DeclaredPin(base64: "AAAA", line: 1)
        let old = DeclaredPin(.spkiSHA1, text: "", digest: Array(repeating: 1, count: 20), line: 1)
        let lists = [
            PinList(hosts: []),
            PinList(hosts: [
                .init(
                    "a.example", [.itself, .descendants], pins: [.init(pin), .init(leaf)],
                    expires: CalendarDate("2027-01-31")),
                .init(
                    "b.example", .children,
                    pins: [.init(leaf, name: "ü \"x\"", isBackup: true, comment: "c"), .init(leaf)]),
                .init(nil, .descendants, pins: [.init(broken), .init(old)], isEnforced: false, comment: "d"),
                .init("c.example", [.itself, .children], pins: []),
            ]),
        ]
        for written in lists {
            let bytes = PinsJSONWriter.write(written)
            var (read, _) = try list(String(decoding: bytes, as: UTF8.self))
            for host in read.hosts.indices {
                read.hosts[host].line = 1
                for pin in read.hosts[host].pins.indices {
                    read.hosts[host].pins[pin].declared.line = 1
                    if read.hosts[host].pins[pin].declared.kind == .spkiSHA1 {
                        read.hosts[host].pins[pin].declared.text = ""
                    }
                }
            }
            #expect(read == written)
        }
    }

    @Test("a plain list is short")
    func short() {
        let host = DeclaredHost(
            "a.example", pins: [DeclaredPin(base64: Self.a, part: .leaf, line: 3)], format: .curl, line: 3)
        let text = String(decoding: PinsJSONWriter.write(PinList(hosts: [.init(host)])), as: UTF8.self)
        #expect(
            text == """
                {
                  "schema": "pinproof.pin-list/1",
                  "hosts": [
                    {
                      "host": "a.example",
                      "part": "leaf",
                      "pins": [
                        "sha256/\(Self.a)"
                      ]
                    }
                  ]
                }

                """)
    }

    @Test(
        "a slip is refused with its line",
        arguments: [
            ("{\"hots\": \"a\"}", 2, "a host has no key \"hots\"", "did you mean \"host\"?"),
            ("{\"host\": \"a.example\"}", 2, "\"pins\" of the host is no list", nil),
            ("{\"pins\": []}", 2, "a host has no \"host\"", nil),
            (
                "{\"host\": \"*.a.example\", \"pins\": []}", 2, "\"host\" is no name of a host",
                "say \"include_subdomains\": \"one\" or \"all\", and leave the asterisk out"
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [], \n\"include_subdomains\": true}", 3,
                "\"include_subdomains\" is none of none, one or all", nil
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [], \"include_itself\": false}", 2,
                "neither the host itself nor its subdomains are included", nil
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [\n\"\(a)\"]}", 3,
                "\"\(a)\" does not say what it is: a pin begins with sha256/",
                "certificate-sha256/ is a certificate's fingerprint, in hexadecimal digits"
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [], \"expires\": \"soon\"}", 2,
                "\"expires\" is no date like 2027-01-31", nil
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [], \"enforced\": 1}", 2, "\"enforced\" is neither true nor false",
                nil
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [{\"backup\": true}]}", 2,
                "a pin has no \"pin\", or none that is a string", nil
            ),
            (
                "{\"host\": \"a.example\", \"pins\": [1]}", 2, "a pin is neither a string nor an object with \"pin\"",
                nil
            ),
            ("{\"host\": \"a.example\",\n\"pins\": [], \"pins\": []}", 3, "a host has \"pins\" twice", nil),
            ("[]", 2, "a host is no object", nil),
        ] as [(String, Int, String, String?)])
    func slips(_ host: String, _ line: Int, _ message: String, _ hint: String?) {
        #expect(throws: PinFileFault(line: line, message, hints: hint.map { [$0] } ?? [])) { try list(Self.text(host)) }
    }

    @Test("another form of list is told, and other JSON is not recognised")
    func others() {
        #expect(
            throws: PinFileFault(
                line: 1, "\"pinproof.pin-list/2\" is a form of list that is not known here: pinproof.pin-list/1 is")
        ) {
            try list("{\"schema\": \"pinproof.pin-list/2\", \"hosts\": []}")
        }
        #expect(!PinsJSONReader.recognises(PinFileContent("{\"schema\": \"pinproof.pins/1\"}")))
        #expect(!PinsJSONReader.recognises(PinFileContent("# pinproof.pin-list/1")))
    }
}
