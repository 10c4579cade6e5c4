import Facts
import Testing

@testable import Pins

@Suite("curl's pins")
struct CurlReaderTests {
    static let a = "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="
    static let b = "i9HaIScvf6T/skE3/A7QOq5n5cTYs8UHNOEFCnkguSI="

    private func read(_ text: String) throws -> PinFile {
        let content = PinFileContent(text)
        #expect(CurlReader.recognises(content), "\(text)")
        return try CurlReader.read(content, path: "fetch.sh")
    }

    @Test("a script has an entry for each command that pins, with its line")
    func script() throws {
        let file = try read(
            """
            #!/bin/sh
            # curl --pinnedpubkey sha256//comment https://no.example/
            curl -fsS https://plain.example/ > /dev/null
            curl --silent -H "Accept: text/html" \\
              --pinnedpubkey 'sha256//\(Self.a);sha256//\(Self.b)' \\
              -o out.html "https://user@API.example.com:8443/v1?x=1" 2>/dev/null && echo done
            if ! OUT=$(curl -s --pinnedpubkey "sha256//\(Self.a)" https://b.example/); then exit 1; fi
            """)
        #expect(file.hosts.map(\.domain) == ["api.example.com", "b.example"])
        #expect(
            file.hosts.map(\.line) == [4, 7] && file.hosts.allSatisfy { $0.format == .curl && $0.reach == .itself })
        #expect(file.hosts[0].pins.map(\.text) == [Self.a, Self.b] && file.hosts[0].pins.map(\.line) == [5, 5])
        #expect(file.hosts[0].pins.allSatisfy { $0.part == .leaf && $0.digest != nil })
        #expect(file.notes.isEmpty && file.settings.isEmpty)
    }

    @Test(
        "commands are found where people write them",
        arguments: [
            "run: curl --pinnedpubkey sha256//\(a) https://a.example/",
            "  - /usr/bin/curl -sS --pinnedpubkey=ignored --pinnedpubkey sha256//\(a) a.example",
            "RUN [\"curl\", \"-f\", \"--pinnedpubkey\", \"sha256//\(a)\", \"https://a.example/x\"]",
            "subprocess.run(['curl', '--pinnedpubkey', 'sha256//\(a)', f'https://a.example/'])",
            "execFile('curl', ['--pinnedpubkey', 'sha256//\(a)', 'https://a.example/'])",
            "sh -c \"curl --pinnedpubkey 'sha256//\(a)' https://a.example/\"; echo \"done\"",
            "\"fetch\": \"curl --pinnedpubkey \\\"sha256//\(a)\\\" https://a.example/\",",
            "Type `curl --pinnedpubkey sha256//\(a) https://a.example/` and don't worry",
            "curl.exe ^\r\n  --pinnedpubkey sha256//\(a) ^\r\n  https://a.example/\r\n",
            "PIN='sha256//\(a)'\nexport URL=\"https://a.example\"\ncurl --pinnedpubkey \"$PIN\" \"${URL}/x\"",
            "OPTS=\"--pinnedpubkey sha256//\(a)\"\ncurl $OPTS ${URL:-https://a.example/}",
            "x=\"$(curl --pinnedpubkey \"sha256//\(a)\" \"https://a.example/$1\")\"",
            "\tcurl -XPOST -d @body --url https://a.example/ --pinnedpubkey sha256//\(a)",
            "curl --pinnedpubk sha256//\(a) -- https://a.example/",
            "curl https://$(curl -s --pinnedpubkey sha256//\(a) https://a.example/)",
        ])
    func places(_ text: String) throws {
        let file = try read(text)
        #expect(file.hosts.map(\.domain) == ["a.example"], "\(text)")
        #expect(file.hosts.first?.pins.map(\.text) == [Self.a])
        #expect(file.hosts.first?.pinsKnown == true)
    }

    @Test("the last of several pins counts, for each URL of its operation")
    func last() throws {
        let file = try read(
            """
            curl --pinnedpubkey sha256//\(Self.a) https://a.example https://a.example/2 \\
              --pinnedpubkey sha256//\(Self.b) https://b.example --next https://c.example
            """)
        #expect(file.hosts.map(\.domain) == ["a.example", "b.example"])
        #expect(file.hosts.allSatisfy { $0.pins.map(\.text) == [Self.b] && $0.pins.map(\.line) == [2] })
        #expect(file.notes.map(\.id) == [.shadows] && file.notes.map(\.line) == [1])
    }

    @Test(
        "what curl makes of a value",
        arguments: [
            ("pin.pem", [], false, .unresolved), ("\"$PIN\"", [], false, .unresolved),
            ("sha256/\(a)", [nil], true, .malformedPin), (a, [nil], true, .malformedPin),
            ("sha256//\(a.dropLast())", [nil], true, .malformedPin), ("sha256//AAAA", [nil], true, .malformedPin),
            // The second needs the prefix as well.
            ("'sha256//\(a);\(b)'", [nil], true, .malformedPin),
            // Without quotation marks the shell ends the command there.
            ("sha256//\(a);sha256//\(b)", [a], true, nil),
            ("\"sha256//\(a);sha256//$NEXT\"", [a], false, .unresolved),
        ] as [(String, [String?], Bool, PinNote.ID?)])
    func values(_ value: String, _ pins: [String?], _ isKnown: Bool, _ note: PinNote.ID?) throws {
        let file = try read("curl https://a.example/ --pinnedpubkey \(value)")
        let host = try #require(file.hosts.first)
        #expect(host.pins.map { $0.digest == nil ? nil : $0.text } == pins)
        #expect(host.pinsKnown == isKnown && host.isPinned)
        #expect(file.notes.map(\.id) == (note.map { [$0] } ?? []))
    }

    @Test("-k leaves name and chain unchecked, and --no-insecure takes it back")
    func insecure() throws {
        let file = try read("curl -sk --pinnedpubkey sha256//\(Self.a) https://a.example/")
        #expect(
            file.settings == [
                PinSetting(.nameCheckOff, host: "a.example", line: 1, "-sk"),
                PinSetting(.chainCheckOff, host: "a.example", line: 1, "-sk"),
            ])
        // The letter belongs to the value of another.
        #expect(try read("curl -ok --pinnedpubkey sha256//\(Self.a) https://a.example/").settings.isEmpty)
        let back = "curl --insecure --no-insecure --pinnedpubkey sha256//\(Self.a) https://a.example/"
        #expect(try read(back).settings.isEmpty)
    }

    @Test("a value behind an = is told, since curl does not run with it")
    func equalSign() throws {
        let file = try read("curl --pinnedpubkey=sha256//\(Self.a) https://a.example/")
        #expect(file.hosts.map { $0.pins[0].text } == [Self.a] && file.notes.map(\.id) == [.misplaced])
    }

    @Test("without TLS no pin is compared")
    func clearText() throws {
        let file = try read("curl --pinnedpubkey sha256//\(Self.a) http://a.example/ b.example")
        #expect(file.hosts.map(\.domain) == ["a.example", "b.example"])
        #expect(file.settings.map(\.kind) == [.clearText, .clearText])
        #expect(file.notes.map(\.id) == [.neverMatches, .neverMatches])
        let default_ = "curl --proto-default https --pinnedpubkey sha256//\(Self.a) b.example"
        #expect(try read(default_).settings.isEmpty)
    }

    @Test("a host that is not known is nil, and told")
    func unknownHost() throws {
        let file = try read(
            "curl --pinnedpubkey sha256//\(Self.a) \"https://$HOST/\"\ncurl --pinnedpubkey sha256//\(Self.b)")
        #expect(file.hosts.map(\.domain) == [nil, nil] && file.hosts.map(\.pins.count) == [1, 1])
        #expect(
            file.notes == [
                PinNote(.unresolved, line: 1, "the host of https://…/ is not known from the file alone"),
                PinNote(.unresolved, line: 2, "the command names no URL here: the host of its pins is not known"),
            ])
    }

    @Test("a config file is read, with its quotation marks and its forms")
    func configFile() throws {
        let file = try read(
            """
            # my defaults
            silent
            --user-agent "pinned \\"x\\" https://no.example"
            pinnedpubkey = "sha256//\(Self.a);sha256//\(Self.b)"
            -k
            """)
        #expect(file.hosts.map(\.domain) == [nil] && file.hosts[0].line == 4)
        #expect(file.hosts[0].pins.map(\.text) == [Self.a, Self.b] && file.hosts[0].pins.map(\.line) == [4, 4])
        #expect(file.settings.map(\.line) == [5, 5] && file.settings.map(\.host) == [nil, nil])
        let other = try read("url=https://a.example/\n--pinnedpubkey: sha256//\(Self.a)\nnext\nurl b.example\n")
        #expect(other.hosts.map(\.domain) == ["a.example"] && other.hosts[0].line == 2)
    }

    @Test(
        "other files are not recognised",
        arguments: [
            "curl https://a.example/", "brew install curl", "no pinnedpubkey here\n", "echo pinnedpubkey",
            "# curl --pinnedpubkey sha256//x https://a.example/",
            "curl --proxy-pinnedpubkey sha256//x https://a.example/",
            "let pinnedPublicKey = 1", "pinned = true\nx = pinnedp", "",
        ])
    func others(_ text: String) {
        #expect(!CurlReader.recognises(PinFileContent(text)))
    }

    @Test("hostile scripts end, and soon")
    func hostile() throws {
        let texts = [
            String(repeating: "curl '", count: 20_000), String(repeating: "curl --pinnedp \"$(", count: 5_000),
            String(repeating: "$(curl ", count: 5_000) + "pinnedp",
            "A=xx\n" + String(repeating: "A=$A$A\n", count: 200) + "curl --pinnedp $A",
            "curl --pinnedpubkey", "curl \\", "curl ${", "curl &>", "curl --pinnedpubkey <>", "curl", "curl\"",
            "\"curl\",",
            "curl --pinnedpubkey \"sha256//", "pinnedpubkey=\"\\",
            "curl " + String(repeating: "`", count: 999) + "pinnedp",
            "pinnedp 'x' \"" + String(repeating: "curl ", count: 20_000),
            String(repeating: "cat <<E\ncurl pinnedp\nE\n", count: 3_000),
            String(repeating: "A=(pinnedp\n", count: 5_000),
            String(repeating: "$V ", count: 20_000) + "pinnedp\nV=curl\n",
            String(repeating: "V=\"curl pinnedp\"\n$V x\n", count: 2_000), "A=1\nA+=$A\nA+=(", "A=(#",
        ]
        for text in texts {
            _ = CurlReader.recognises(PinFileContent(text))
            _ = try CurlReader.read(PinFileContent(text), path: "")
        }
    }
}
