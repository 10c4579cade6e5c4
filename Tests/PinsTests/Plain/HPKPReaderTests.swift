import Facts
import Testing

@testable import Pins

@Suite("Public-Key-Pins")
struct HPKPReaderTests {
    private static let a = CurlReaderTests.a
    private static let b = CurlReaderTests.b

    private func read(_ text: String) throws -> PinFile {
        let content = PinFileContent(text)
        #expect(HPKPReader.recognises(content), "\(text)")
        return try HPKPReader.read(content, path: "nginx.conf")
    }

    @Test(
        "the header is read wherever it is set",
        arguments: [
            "HTTP/1.1 200 OK\r\nPublic-Key-Pins: pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; max-age=5184000; includeSubDomains; report-uri=\"https://r.example/pin\"\r\nServer: x\r\n",
            "server {\n  add_header Public-Key-Pins 'pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; max-age=5184000; includeSubDomains;' always;\n}",
            "\nHeader always set Public-Key-Pins \"pin-sha256=\\\"\(a)\\\"; pin-sha256=\\\"\(b)\\\"; max-age=5184000; includeSubDomains\"",
            "<?php\nheader('Public-Key-Pins: max-age=5184000; pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; includeSubDomains');",
            "\npublic-key-pins: PIN-SHA256=\"\(a)\"; pin-sha256=\"\(b)\"; MAX-AGE=\"5184000\"; INCLUDESUBDOMAINS",
            "\nHeader set Public-Key-Pins \"pin-sha256=\\\"\(a)\\\"; \\\n  pin-sha256=\\\"\(b)\\\"; \\\n  max-age=5184000; includeSubDomains\"\nX: y",
            "\nadd_header Public-Key-Pins '\n  pin-sha256=\"\(a)\";\n  pin-sha256=\"\(b)\";\n  max-age=5184000; includeSubDomains';",
            "\nhttp-response set-header Public-Key-Pins pin-sha256=\\\"\(a)\\\";\\ pin-sha256=\\\"\(b)\\\";\\ max-age=5184000;\\ includeSubDomains",
        ])
    func places(_ text: String) throws {
        let file = try read(text)
        let host = try #require(file.hosts.first)
        #expect(file.hosts.count == 1 && host.domain == nil && host.line == 2 && host.isEnforced)
        #expect(host.reach == [.itself, .descendants] && host.format == .hpkp)
        #expect(
            host.pins.map(\.text) == [Self.a, Self.b] && host.pins.allSatisfy { $0.part == .any && $0.digest != nil })
        #expect(file.notes.map(\.id) == [.versionsDiffer])
    }

    @Test("the host is that of a comment as pins export writes it, and of no other")
    func host() throws {
        let header = "Public-Key-Pins: pin-sha256=\"\(Self.a)\"; pin-sha256=\"\(Self.b)\"; max-age=5184000\n"
        let file = try read(
            "# of A.example\n\(header)# of b.example and others\n\(header)# of it\n\(header)\(header)# of c.example\r\n\(header)"
        )
        #expect(file.hosts.map(\.domain) == ["a.example", nil, nil, nil, "c.example"])
        #expect(file.hosts.map(\.line) == [2, 4, 6, 7, 9])
    }

    @Test("report only enforces nothing, and needs no max-age")
    func reportOnly() throws {
        let file = try read(
            "Public-Key-Pins-Report-Only: pin-sha256=\"\(Self.a)\"; pin-sha256=\"\(Self.b)\"; report-uri=\"https://r.example/\""
        )
        #expect(file.hosts.map(\.isEnforced) == [false] && file.hosts[0].reach == .itself)
        #expect(file.notes.map(\.id) == [.reportOnly, .versionsDiffer])
    }

    @Test("two headers in two lines are two entries")
    func two() throws {
        let header = "pin-sha256=\"\(Self.a)\"; pin-sha256=\"\(Self.b)\"; max-age=1"
        let file = try read("Public-Key-Pins: \(header)\nPublic-Key-Pins-Report-Only: \(header)\n")
        #expect(file.hosts.map(\.line) == [1, 2] && file.hosts.map(\.isEnforced) == [true, false])
        #expect(file.hosts.map(\.pins.count) == [2, 2])
    }

    @Test(
        "what a browser passes over is told",
        arguments: [
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"", [.neverMatches]),
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; max-age=soon", [.neverMatches]),
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; max-age=1; max-age=2", [.neverMatches]),
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(a)\"; max-age=1", [.neverMatches]),
            ("pin-sha256=\(a); pin-sha256=\"\(b)\"; max-age=1", [.neverMatches]),
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; max-age=0", [.expiration]),
            ("pin-sha256=\"\(a)\"; pin-sha256=\"\(b)\"; pin-sha256=\"AAAA\"; max-age=1", [.malformedPin]),
        ] as [(String, [PinNote.ID])])
    func passedOver(_ value: String, _ notes: [PinNote.ID]) throws {
        let file = try read("Public-Key-Pins: \(value)")
        #expect(file.notes.map(\.id) == notes + [.versionsDiffer])
        #expect(file.hosts.count == 1)
    }

    @Test(
        "other files are not recognised",
        arguments: [
            "# add_header Public-Key-Pins 'pin-sha256=\"\(a)\"; max-age=1';", "proxy_hide_header Public-Key-Pins;",
            "pin-sha256=\"\(a)\"",
            "Strict-Transport-Security: max-age=1", "",
        ])
    func others(_ text: String) {
        #expect(!HPKPReader.recognises(PinFileContent(text)))
    }

    @Test("a pin that a program puts in is not known")
    func putTogether() throws {
        let file = try read(
            "header(\"Public-Key-Pins: pin-sha256=\\\"\(Self.a)\\\"; pin-sha256=\\\"{$backup}\\\"; max-age=1\");")
        #expect(file.hosts.map(\.pinsKnown) == [false] && file.hosts[0].pins.count == 1)
        #expect(file.notes.map(\.id) == [.unresolved, .versionsDiffer])
        #expect(!HPKPReader.recognises(PinFileContent("'Public-Key-Pins: pin-sha256=\"' . $pin . '\"; max-age=1'")))
    }

    @Test("a long row of names ends soon")
    func hostile() throws {
        let text = String(repeating: "public-key-pins ", count: 5_000) + "pin-sha256=\"" + Self.a
        #expect(try HPKPReader.read(PinFileContent(text), path: "").hosts.count == 1)
        _ = HPKPReader.recognises(PinFileContent(String(repeating: "public-key-pins=\n", count: 5_000)))
    }

    @Test(
        "a header in a comment is none",
        arguments: ["// ", "# ", "/* ", "x(); // ", "foo();// ", "/**\n * ", "x = 'a#b'; # "])
    func comments(mark: String) {
        let header = "header('Public-Key-Pins: max-age=1; pin-sha256=\"\(CurlReaderTests.a)\"'); */"
        #expect(!HPKPReader.recognises(PinFileContent("<?php\n" + mark + header)))
        #expect(HPKPReader.recognises(PinFileContent("<?php\n/* x */ $u = 'https://a.example/#x'; " + header)))
    }
}
