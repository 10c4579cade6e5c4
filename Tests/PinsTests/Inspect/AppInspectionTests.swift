import Facts
import Testing

@testable import Pins

@Suite("What an inspection says")
struct AppInspectionTests {
    @Test("its JSON has the contract's keys")
    func json() throws {
        var app = try AppSample.inspect(try AppSample.apk())
        app.certificates = [
            .init(path: "res/c.pem", subject: "CN=A", notAfter: "2030-01-01T00:00:00Z", spkiSHA256: "AA=")
        ]
        let bytes = app.json(layout: .compact, pins: { $0.verbatim(Array("[1]".utf8)) }) {
            $0.verbatim(Array("[2]".utf8))
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let expected = [
            #"{"schema":"pinproof.inspect/1","path":"app.apk","sha256":"00","platform":"android","#,
            #""id":"com.example.app","version":"1.2.3","build":"45","debuggable":true,"target_sdk":35,"#,
            #""pins":[1],"user_anchors":false,"cleartext":["legacy.example"],"#,
            #""bundled_certificates":[{"path":"res/c.pem","subject":"CN=A","#,
            #""not_after":"2030-01-01T00:00:00Z","spki_sha256":"AA="}],"#,
            #""pin_like_strings":[{"value":"sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=","#,
            #""path":"classes.dex"}],"libraries":["okhttp"],"findings":[2],"faults":[],"notes":[]}"#,
        ].joined()
        #expect(text == expected)
    }

    @Test("its text says the same to people")
    func text() throws {
        let app = try AppSample.inspect(try AppSample.apk())
        #expect(
            app.text == [
                "com.example.app 1.2.3 (45), Android, target SDK 35", "  debuggable           yes",
                "  user's certificates  not trusted", "  clear text           allowed for legacy.example",
                "  libraries            okhttp", "  pins",
                "    example.com, **.example.com  1 pin, off from 2027-06-01  res/aB.xml:3", "  text like pins",
                "    sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA=  classes.dex",
            ])
        var empty = AppInspection(path: "a", sha256: "", platform: .ios)
        empty.id = "a\u{1b}[2J"
        #expect(
            empty.text.first == "a\\u{1b}[2J, iOS" && empty.text.last == "  no pins are declared in its configuration")
    }
}
