import Facts
import Testing

@testable import Pins

@Suite("What Android rejects of a network security config")
struct AndroidConfigFaultTests {
    private static let a = AndroidConfigReaderTests.a

    private func fault(_ inside: String) -> PinFileFault? {
        do {
            _ = try AndroidConfigReaderTests.read(inside)
            return nil
        } catch let fault as PinFileFault {
            return fault
        } catch {
            return nil
        }
    }

    @Test(
        "it is told with its line, and fails closed",
        arguments: [
            ("<base-config/>\n<base-config/>", 3, "there is a second <base-config>; the first is in line 2"),
            (
                "<debug-overrides/>\n<debug-overrides/>", 3,
                "there is a second <debug-overrides>; the first is in line 2"
            ),
            (
                "<base-config>\n<pin-set/></base-config>", 3,
                "<pin-set> stands in <base-config>, where it is not allowed"
            ),
            (
                "<base-config>\n<domain>a.example</domain></base-config>", 3,
                "<domain> stands in <base-config>, where it is not allowed"
            ),
            ("\n<domain-config/>", 3, "this <domain-config> has no <domain>"),
            (
                "<domain-config><domain>A.example</domain>\n"
                    + "<domain includeSubdomains='true'> a.example </domain></domain-config>",
                3, "the domain \"a.example\" is there twice; the first is in line 2"
            ),
            (
                "<domain-config><domain>a.example</domain></domain-config>\n"
                    + "<domain-config><domain>a.example</domain></domain-config>",
                3, "the domain \"a.example\" is there twice; the first is in line 2"
            ),
            ("<domain-config><domain> </domain></domain-config>", 2, "the name of a domain is missing in <domain>"),
            (
                "<domain-config><domain>a<b/></domain></domain-config>", 2,
                "there is something else beside the name of a domain in <domain>"
            ),
            (
                "<domain-config><domain>a.example</domain><pin-set/>\n<pin-set/></domain-config>", 3,
                "there is a second <pin-set> in this <domain-config>; the first is in line 2"
            ),
            (
                "<domain-config><domain>a.example</domain><trust-anchors/>\n<trust-anchors/></domain-config>", 3,
                "there is a second <trust-anchors> in one entry"
            ),
            (
                "<base-config><trust-anchors>\n<certificates/></trust-anchors></base-config>", 3,
                "a <certificates> has no src"
            ),
            (
                "<base-config><trust-anchors>\n<certificates src='System'/></trust-anchors></base-config>", 3,
                "the src \"System\" of <certificates> is not known"
            ),
        ])
    func rejected(text: String, line: Int, message: String) {
        let fault = fault(text)
        #expect(fault?.line == line && fault?.effect == .failsClosed)
        #expect(
            fault?.message == message + ": Android rejects the whole file, and the app fails at its first connection")
    }

    @Test(
        "a pin of another digest, form or length",
        arguments: [
            ("<pin>\(a)</pin>", "a pin has no digest"),
            ("<pin digest='SHA-1'>AAAA</pin>", "the digest \"SHA-1\" of a pin is not SHA-256"),
            ("<pin digest='SHA256'>\(a)</pin>", "the digest \"SHA256\" of a pin is not SHA-256"),
            ("<pin digest='SHA-256'/>", "the hash of a pin is missing in <pin>"),
            ("<pin digest='SHA-256'> \n </pin>", "the hash of a pin is missing in <pin>"),
            ("<pin digest='SHA-256'>\(a)<b/></pin>", "there is something else beside the hash of a pin in <pin>"),
            (
                "<pin digest='SHA-256'>AAAA<!-- -->AAAA</pin>",
                "there is something else beside the hash of a pin in <pin>"
            ),
            ("<pin digest='SHA-256'>AAAAA</pin>", "the pin \"AAAAA\" is not base64"),
            ("<pin digest='SHA-256'>AAAA=</pin>", "the pin \"AAAA=\" is not base64"),
            ("<pin digest='SHA-256'>AAAA</pin>", "the pin \"AAAA\" has 3 bytes, and a SHA-256 hash has 32"),
            ("<pin digest='SHA-256'>sha256/\(a)</pin>", "the pin \"sha256/\(a)\" is not base64"),
        ])
    func pins(pin: String, message: String) {
        let fault = fault("<domain-config><domain>a.example</domain><pin-set>\(pin)</pin-set></domain-config>")
        #expect(
            fault?.message.hasPrefix(message + ": Android") == true && fault?.effect == .failsClosed, "\(fault as Any)")
    }

    @Test(
        "what Android's base64 passes over is no fault",
        arguments: [
            String(a.dropLast()), "AAAAA AAAA\nAAAA--\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", " \(a) <!-- leaf -->",
            "<![CDATA[\(a)]]>",
        ])
    func lenient(pin: String) throws {
        let file = try AndroidConfigReaderTests.read(
            """
            <domain-config><domain>a.example</domain>
            <pin-set><pin digest="SHA-256">\(pin)</pin></pin-set></domain-config>
            """)
        #expect(file.hosts[0].pins[0].digest == Array(repeating: 0, count: 32))
        #expect(file.hosts[0].pins[0].name == "sha256/\(Self.a)")
    }

    @Test(
        "an expiration is read as Java reads it",
        arguments: [
            ("2027-06-01", "2027-06-01"), ("2027-6-1", "2027-06-01"), (" 2027- 06- 01T00:00", "2027-06-01"),
            ("27-06-01", "0027-06-01"), ("2028-02-29", "2028-02-29"), ("2027-02-29", nil), ("2027-13-01", nil),
            ("2027-06", nil), ("01.06.2027", nil), ("2027/06/01", nil), ("never", nil), ("", nil), ("2027-06-00", nil),
            ("99999999999999999999-01-01", nil),
        ] as [(String, String?)])
    func expiration(text: String, date: String?) throws {
        let config = "<domain-config><domain>a.example</domain>\n<pin-set expiration='\(text)'/></domain-config>"
        guard let date else {
            let fault = fault(config)
            #expect(fault?.line == 3 && fault?.effect == .failsClosed)
            return
        }
        #expect(fault(config) == nil)
        #expect(AndroidDate.read(text)?.description == date)
    }

    @Test("another outermost element is rejected, and so is what is not well-formed")
    func root() {
        #expect(throws: PinFileFault.self) { try AndroidConfigReader.read(PinFileContent("<a/>"), path: "") }
        do {
            _ = try AndroidConfigReader.read(PinFileContent("<network-security-config>\n<a>"), path: "")
            Issue.record("it was read")
        } catch {
            #expect(error.effect == .failsClosed && error.line == 2)
        }
    }

    @Test("what a DOCTYPE declares is not read: it is said on which line, and nothing is told of the app")
    func documentType() throws {
        let text =
            "<?xml version='1.0'?>\n<!DOCTYPE network-security-config [<!ENTITY p SYSTEM 'file:///x'>]>\n"
            + "<network-security-config><base-config>&p;</base-config></network-security-config>"
        do {
            _ = try FormatRecogniser.standard.read(PinFileContent(text), path: "n.xml")
            Issue.record("it was read")
        } catch {
            #expect(error.effect == .unreadable && error.line == 2 && error.message.contains("no entity is read"))
        }
        let bare = "<!DOCTYPE network-security-config SYSTEM 'http://x.example/a.dtd'><network-security-config/>"
        #expect(try FormatRecogniser.standard.read(PinFileContent(bare), path: "n.xml").count == 1)
    }

    @Test("hints say what was probably meant")
    func hints() {
        func hint(_ pin: String) -> String? {
            fault(
                "<domain-config><domain>a.example</domain><pin-set><pin digest='SHA-256'>\(pin)</pin></pin-set>"
                    + "</domain-config>"
            )?.hints.first
        }
        #expect(hint("sha256/AAAA")?.contains("OkHttp") == true)
        #expect(hint(String(repeating: "AB", count: 32))?.contains("hexadecimal") == true)
        #expect(hint("AAAAAAAAAAAAAAAAAAAAAAAAAAA=")?.contains("SHA-1") == true)
    }
}
