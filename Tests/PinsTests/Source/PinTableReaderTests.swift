import Testing

@testable import Pins

@Suite("Tables of pins in code")
struct PinTableReaderTests {
    @Test("names, wildcards and names left out, in Python, JavaScript and Go")
    func tables() throws {
        let wanted = [
            "2 a.example: A B", "3 *.b.example: certificate", "4 **.c.example: A", "5 cdn.c.example: unpinned",
        ]
        let fingerprint = String(repeating: "41", count: 32)
        let python = """
            PINS = {
                "A.example.": ["sha256/{A}", "sha256/{B}"],
                "*.b.example": ["certificate-sha256/\(fingerprint)"],
                "**.c.example": ["sha256/{A}"],
                "cdn.c.example": [],
            }
            def pins_of(host): return PINS[host]
            """
        let node = """
            const PINS = new Map([
              ['a.example', ['sha256/{A}', 'sha256/{B}']],
              ['*.b.example', ['certificate-sha256/\(fingerprint)']],
              ['**.c.example', ['sha256/{A}']],
              ['cdn.c.example', []],
            ]);
            function pinsOf(name) { return PINS.get(name); }
            """
        let go = """
            var pins = map[string][]string{
            \t"a.example": {"sha256/{A}", "sha256/{B}"},
            \t"*.b.example": {"certificate-sha256/\(fingerprint)"},
            \t"**.c.example": {"sha256/{A}"},
            \t"cdn.c.example": {},
            }
            func pinsOf(host string) []string { return pins[host] }
            """
        for (text, path, part) in [
            (python, "p.py", DeclaredPin.Part.leaf), (node, "p.js", .leaf), (go, "p.go", .any),
        ] {
            let file = try SourceFixture.file(text, path, .code)
            #expect(
                SourceFixture.shown(file).map { $0.replacing("cert/A", with: "certificate") } == wanted, "\(path)")
            #expect(file?.hosts.first?.pins.map(\.part) == [part, part])
        }
    }

    @Test("a malformed pin, and what is put together while it runs, are told")
    func faults() throws {
        let file = try SourceFixture.file(
            "PINS = {\n  'a.example': ['sha256/short', other],\n  host: ['sha256/{A}'],\n}\ndef pins_of(h): pass",
            "p.py",
            .code)
        #expect(SourceFixture.shown(file) == ["2 a.example: bad ?", "3 ?: A"])
        #expect(SourceFixture.notes(file) == ["2 malformed-pin", "2 unresolved", "3 unresolved"])
    }

    @Test("without what looks a name up in it, a table is none")
    func nothing() throws {
        #expect(try SourceFixture.file("PINS = {'a.example': ['sha256/{A}']}", "p.py", .code) == nil)
        #expect(try SourceFixture.file("PINS = {'led': [1, 2]}\ndef pins_of(x): pass", "p.py", .code) == nil)
    }
}
