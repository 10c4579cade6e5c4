import Facts
import Testing

@testable import Pins

@Suite("paths by device")
struct TrustPathsTests {
    typealias S = LintSamples

    private func texts(_ chain: [GenuineCertificate], _ store: DeviceStore) -> [String] {
        TrustPaths(chain, on: S.today).paths(store).map(\.text)
    }

    @Test("a cross-signed root is where new devices stop, and old ones go on")
    func crossSigned() {
        let short = "api.example.com ← WR1 ← GTS Root R1"
        #expect(texts(S.googleChain(), .android(28)) == [short + " ← GlobalSign Root CA"])
        #expect(texts(S.googleChain(), .android(30)) == [short, short + " ← GlobalSign Root CA"])
        #expect(texts(S.googleChain(), .android(36)) == [short])
        #expect(texts(S.googleChain(), .mozilla) == [short])
    }

    @Test("without the cross-sign an old Android finds no path, and the table says that one would help")
    func unshown() {
        let chain = Array(S.googleChain().prefix(2))
        let paths = TrustPaths(chain, on: S.today)
        #expect(paths.paths(.android(24)).map(\.needsMore) == [true])
        #expect(paths.sight(of: [S.pin(1)], .android(24)) == .noPath)
        #expect(paths.sight(of: [S.pin(1)], .android(30)) == .expected)
    }

    @Test("Let's Encrypt's chain of 2026: Root YE needs its cross-signs, X2 is known from Android 14 on")
    func generationY() {
        let ye = "CN=Root YE,O=ISRG,C=US"
        let x2 = "CN=ISRG Root X2,O=Internet Security Research Group,C=US"
        let x1 = "CN=ISRG Root X1,O=Internet Security Research Group,C=US"
        let chain = [
            S.certificate(.leaf, "CN=a.example.com", by: "CN=YE1,O=Let's Encrypt,C=US", key: S.digest(1)),
            S.certificate(.intermediate, "CN=YE1,O=Let's Encrypt,C=US", by: ye, key: S.digest(81)),
            S.certificate(.intermediate, ye, by: x2, key: KnownCA("Root YE").key ?? []),
            S.certificate(.intermediate, x2, by: x1, key: S.root("ISRG Root X2").digest ?? []),
        ]
        let short = "a.example.com ← YE1 ← Root YE ← ISRG Root X2"
        #expect(texts(chain, .android(34)).first == short)
        #expect(texts(chain, .android(25)) == [short + " ← ISRG Root X1"])
        #expect(texts(chain, .android(24)).isEmpty)
        #expect(TrustPaths(chain, on: S.today).sight(of: [S.root("ISRG Root X1")], .android(34)) == .never)
        #expect(TrustPaths(chain, on: S.today).sight(of: [S.root("ISRG Root X1")], .android(25)) == .expected)
        let bare = TrustPaths(Array(chain.prefix(2)), on: S.today)
        #expect(bare.paths(.apple(26)).map(\.needsMore).contains(true))
        #expect(bare.sight(of: [S.root("ISRG Root X2")], .apple(26)) == .expected)
    }

    @Test("pins are met where they count: the leaf's at the leaf, a CA's above it")
    func parts() {
        let paths = TrustPaths(S.googleChain(leaf: 1), on: S.today)
        #expect(paths.sight(of: [S.pin(1, .spkiSHA256, .leaf)], .android(30)) == .expected)
        #expect(paths.sight(of: [S.pin(1, .spkiSHA256, .ca)], .android(30)) == .never)
        #expect(paths.sight(of: [S.pin(80, .spkiSHA256, .ca)], .android(30)) == .expected)
        #expect(paths.sight(of: [], .android(30)) == .never)
        let certificate = DeclaredPin(.certificateSHA256, text: "", digest: S.digest(80).reversed(), line: 1)
        #expect(paths.sight(of: [certificate], .android(30)) == .expected)
    }

    @Test("a private CA leads nowhere, and an ended cross-sign is left out")
    func nowhere() {
        #expect(DeviceStore.all.allSatisfy { texts(S.privateChain(), $0).isEmpty })
        #expect(TrustPaths([], on: S.today).paths(.mozilla).isEmpty)
        let late = TrustPaths(Array(S.googleChain().prefix(2)), on: CalendarDate(year: 2028, month: 1, day: 29))
        #expect(late.paths(.android(24)).isEmpty)
    }

    @Test("chains that go round, or are long, end")
    func hostile() {
        let ring = (0..<200).flatMap { n in
            (0..<3).map { S.certificate(.intermediate, "CN=\(n % 5)", by: "CN=\((n + $0) % 5)", key: S.digest(n)) }
        }
        let leaf = S.certificate(.leaf, "CN=leaf", by: "CN=0", key: S.digest(201))
        _ = TrustPaths([leaf] + ring, on: S.today).paths(.mozilla)
        let same = (0..<9).map { S.certificate(.intermediate, "CN=A", by: "CN=A", key: S.digest($0 + 10)) }
        _ = TrustPaths([S.certificate(.leaf, "CN=leaf", by: "CN=A", key: S.digest(1))] + same, on: S.today)
    }

    @Test("devices are named in runs")
    func names() {
        #expect(DeviceStore.names([.android(24)]) == "Android 7.0 (API 24)")
        #expect(
            DeviceStore.names([.android(24), .android(25), .android(34), .apple(12), .apple(13), .mozilla])
                == "Android 7.0 to 7.1 (API 24 to 25), Android 14 (API 34), iOS 12 to 13 and Mozilla")
        #expect(DeviceStore.names([]) == "no device")
    }

    @Test("every cross-sign is between keys that are known")
    func crossSigns() {
        #expect(CrossSign.all.allSatisfy { $0.subject.key?.count == 32 && $0.issuer.key?.count == 32 })
    }
}
