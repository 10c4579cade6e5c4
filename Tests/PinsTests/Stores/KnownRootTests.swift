import Facts
import Testing

@testable import Pins

@Suite("the table of public roots")
struct KnownRootTests {
    private func root(_ name: String) throws -> KnownRoot { try #require(KnownRoot.all.first { $0.name == name }) }

    @Test("every line is read, every key has 32 bytes and is there once, every name too")
    func wellFormed() {
        let lines = (RootTable.aToF + "\n" + RootTable.gToZ).split(separator: "\n")
        let entries = lines.filter { !$0.hasPrefix("# ") && !$0.hasPrefix("  ") }
        #expect(KnownRoot.all.count == entries.count && KnownRoot.all.count > 200)
        #expect(Set(KnownRoot.all.map(\.key)).count == KnownRoot.all.count)
        #expect(Set(KnownRoot.all.map(\.name)).count == KnownRoot.all.count)
        for root in KnownRoot.all {
            #expect(root.key.count == 32 && !root.name.isEmpty && !root.organisation.isEmpty)
            #expect(!root.android.isEmpty || !root.apple.isEmpty || root.mozillaUntil != nil)
        }
    }

    @Test("organisations and names are in order")
    func order() {
        let pairs = KnownRoot.all.map { ($0.organisation.lowercased(), $0.name.lowercased()) }
        #expect(zip(pairs, pairs.dropFirst()).allSatisfy { $0.0 < $1.0 || $0.0 == $1.0 && $0.1 <= $1.1 })
    }

    @Test(
        "what is documented elsewhere: the first Android and iOS that have a root",
        arguments: [
            ("ISRG Root X1", 25, 12), ("ISRG Root X2", 34, 16), ("GTS Root R1", 29, 12), ("Amazon Root CA 1", 26, 12),
            ("DigiCert Global Root G2", 24, 12), ("Sectigo Public Server Authentication Root R46", 35, 18),
        ])
    func first(_ name: String, _ android: Int, _ apple: Int) throws {
        let root = try root(name)
        #expect(root.android.first?.lowerBound == android && root.apple.first?.lowerBound == apple)
        #expect(!DeviceStore.android(android - 1).contains(root) && DeviceStore.android(android).contains(root))
    }

    @Test("what has left")
    func left() throws {
        let baltimore = try root("Baltimore CyberTrust Root")
        #expect(DeviceStore.android(35).contains(baltimore) && !DeviceStore.android(36).contains(baltimore))
        #expect(DeviceStore.apple(18).contains(baltimore) && !DeviceStore.apple(26).contains(baltimore))
        #expect(!DeviceStore.mozilla.contains(baltimore))
        let r4 = try root("GTS Root R4")
        #expect(DeviceStore.mozilla.contains(r4))
    }

    @Test(
        "a root is found by its name in a certificate",
        arguments: [
            ("CN=ISRG Root X1,O=Internet Security Research Group,C=US", "ISRG Root X1"),
            ("C=US, O=Internet Security Research Group, CN=ISRG Root X1", "ISRG Root X1"),
            ("CN=GlobalSign,O=GlobalSign,OU=GlobalSign Root CA - R3", "GlobalSign Root CA - R3"),
            (
                "OU=Starfield Class 2 Certification Authority,O=Starfield Technologies\\, Inc.,C=US",
                "Starfield Class 2 Certification Authority"
            ),
            (
                "CN=NetLock Arany (Class Gold) F\\C5\\91tan\\C3\\BAs\\C3\\ADtv\\C3\\A1ny,O=NetLock Kft.",
                "NetLock Arany (Class Gold) Főtanúsítvány"
            ),
        ])
    func names(_ text: String, _ name: String) {
        #expect(KnownRoot.named(text)?.name == name)
    }

    @Test(
        "strange names are no root", arguments: ["", "=", ",", "\\", "CN", "CN=", "CN=\\", "CN=\\2", "CN=x\\+", "+,+"])
    func strange(_ text: String) {
        #expect(KnownRoot.named(text) == nil)
    }

    @Test("Let's Encrypt's page and the table agree until when Mozilla trusts its roots")
    func mozilla() throws {
        let (x1, x2, g2) = (try root("ISRG Root X1"), try root("ISRG Root X2"), try root("DigiCert Global Root G2"))
        #expect(x1.mozillaUntil == CalendarDate(year: 2030, month: 6, day: 4))
        #expect(x2.mozillaUntil == CalendarDate(year: 2035, month: 9, day: 4))
        #expect(g2.mozillaUntil == CalendarDate(year: 2029, month: 4, day: 15))
    }
}
