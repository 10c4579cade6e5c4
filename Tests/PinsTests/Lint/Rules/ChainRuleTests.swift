import Facts
import Testing

@testable import Pins

@Suite("rules that look at a host's chain")
struct ChainRuleTests {
    typealias S = LintSamples

    @Test("L4: no pin among the keys is an error, with what to write; one of several is enough")
    func notServed() throws {
        let file = S.file([S.host([S.pin(7), S.pin(8)])])
        let found = try #require(S.found("L4", file, S.situation(S.privateChain(leaf: 1))))
        #expect(found.severity == .error && found.line == 7 && found.host == "api.example.com")
        #expect(found.fix.contains("<pin digest=\"SHA-256\">\(Base64.encode(S.digest(1)))</pin>"))
        for served in [1, 90, 91] {
            let backed = S.file([S.host([S.pin(served), S.pin(8)])])
            #expect(S.found("L4", backed, S.situation(S.privateChain(leaf: 1))) == nil, "\(served)")
        }
        #expect(S.found("L4", file) == nil)
    }

    @Test("L4: Apple's CA list does not match the leaf")
    func notServedApple() {
        let wrong = S.host([S.pin(1, .spkiSHA256, .ca), S.pin(8, .spkiSHA256, .ca)], .appleATS)
        #expect(S.found("L4", S.file([wrong], [], .appleATS), S.situation(S.privateChain(leaf: 1))) != nil)
        let right = S.host([S.pin(90, .spkiSHA256, .ca), S.pin(8, .spkiSHA256, .ca)], .appleATS)
        #expect(S.found("L4", S.file([right], [], .appleATS), S.situation(S.privateChain(leaf: 1))) == nil)
    }

    @Test("L4: of Apple's two lists the one is told of that does not match")
    func notServedOneList() throws {
        func found(_ leaf: Int, _ ca: Int) -> LintFinding? {
            let host = S.host([S.pin(leaf, .spkiSHA256, .leaf), S.pin(ca, .spkiSHA256, .ca)], .appleATS)
            return S.found("L4", S.file([host], [], .appleATS), S.situation(S.privateChain(leaf: 1)))
        }
        #expect(found(1, 90) == nil)
        let ca = try #require(found(1, 8))
        #expect(ca.text.contains("none of the 1 pin of api.example.com in NSPinnedCAIdentities") && ca.line == 8)
        #expect(ca.text.contains("both lists have to match") && !ca.fix.contains(Base64.encode(S.digest(1))))
        #expect(ca.fix.contains("\(Base64.encode(S.digest(90)))</string> (its issuer's) in NSPinnedCAIdentities"))
        let leaf = try #require(found(7, 90))
        #expect(leaf.text.contains("in NSPinnedLeafIdentities") && leaf.line == 7 && leaf.severity == .error)
        #expect(found(7, 8)?.text.contains("none of the 2 pins of api.example.com is among") == true)
    }

    @Test("L4: a public root that the server does not show is known all the same; another one may be what is pinned")
    func unshownRoot() {
        let chain = Array(S.googleChain().prefix(2))
        #expect(S.found("L4", S.file([S.host([S.root("GTS Root R1")])]), S.situation(chain)) == nil)
        #expect(S.found("L4", S.file([S.host([S.pin(7), S.pin(8)])]), S.situation(chain))?.severity == .error)
        let own = Array(S.privateChain().prefix(2))
        #expect(S.found("L4", S.file([S.host([S.pin(7), S.pin(91)])]), S.situation(own))?.severity == .warning)
        let leafOnly = S.file([S.host([S.pin(7, .spkiSHA256, .leaf)], .curl)], [], .curl)
        #expect(S.found("L4", leafOnly, S.situation(own))?.severity == .error)
    }

    @Test("L4: pins that are off, or only reported, lock nobody out")
    func notServedOff() {
        let off = S.host("api.example.com", .itself, [S.pin(7), S.pin(8)], expires: "2026-11-01")
        #expect(S.found("L4", S.file([off]), S.situation(S.privateChain())) == nil)
        let reported = S.host("api.example.com", .itself, [S.pin(7), S.pin(8)], isEnforced: false)
        #expect(S.found("L4", S.file([reported]), S.situation(S.privateChain())) == nil)
    }

    @Test("L5: a certificate's hash is a warning, with the key to pin where it is at hand; a CA's is not")
    func certificateHash() {
        let leaf = DeclaredPin(
            .certificateSHA256, text: "x", digest: S.digest(1).reversed(), line: 4)
        let file = S.file([S.host([leaf, S.pin(2)], .flutter)], [], .flutter)
        #expect(S.found("L5", file)?.severity == .warning)
        #expect(S.found("L5", file)?.text.contains("200 days") == true)
        let live = S.found("L5", file, S.situation(S.privateChain(leaf: 1)))
        #expect(live?.fix.contains(Base64.encode(S.digest(1))) == true)
        #expect(live?.text.contains("2027-01-30") == true)
        let ca = DeclaredPin(.certificateSHA256, text: "x", digest: S.digest(90).reversed(), line: 4)
        let ofCA = S.file([S.host([ca], .flutter)], [], .flutter)
        #expect(S.found("L5", ofCA, S.situation(S.privateChain())) == nil)
        #expect(S.found("L5", S.file([S.good(.flutter)], [], .flutter)) == nil)
    }

    @Test("L5: certificates that are not at hand are told by the reader's note")
    func certificatesElsewhere() {
        let note = PinNote(.certificatePins, line: 5, "every certificate of the bundle")
        let file = S.file([S.host([], .alamofire)], [], .alamofire, notes: [note])
        #expect(S.found("L5", file)?.line == 5)
    }

    @Test("L6: a public root's pin is a note that says what it protects from; a leaf's is none")
    func publicRoot() {
        let found = S.found("L6", S.file([S.host([S.root("ISRG Root X1", line: 6), S.pin(2)])]))
        #expect(found?.severity == .note && found?.line == 6)
        #expect(found?.text.contains("ISRG Root X1") == true && found?.text.contains("protects from") == true)
        #expect(S.found("L6", S.file([S.good()])) == nil)
    }

    @Test("L18: lists that can never both match")
    func bothLists() {
        func file(_ leaf: [DeclaredPin], _ ca: [DeclaredPin]) -> PinFile {
            let pins = leaf.map { with($0, .leaf) } + ca.map { with($0, .ca) }
            return S.file([S.host(pins, .appleATS)], [], .appleATS)
        }
        #expect(S.found("L18", file([S.pin(1)], [S.pin(1)]))?.severity == .error)
        #expect(S.found("L18", file([S.root("GTS Root R1")], [S.pin(2)])) != nil)
        #expect(S.found("L18", file([S.root("GTS Root R1")], [])) != nil)
        #expect(S.found("L18", file([S.pin("short")], [S.pin(2)])) != nil)
        #expect(S.found("L18", file([S.pin(1)], [S.pin("short")])) != nil)
        #expect(S.found("L18", file([S.pin(1), S.pin(3)], [S.pin(2)])) == nil)
        #expect(S.found("L18", file([S.pin(1), S.pin(3)], [S.root("GTS Root R1")])) == nil)
        #expect(S.found("L18", file([S.pin(1), S.pin(3)], [])) == nil)
        #expect(S.found("L18", file([S.pin(5), S.pin(3)], [S.pin(1)]), S.situation(S.privateChain(leaf: 1))) != nil)
    }

    private func with(_ pin: DeclaredPin, _ part: DeclaredPin.Part) -> DeclaredPin {
        var pin = pin
        pin.part = part
        return pin
    }

    @Test("L31: a rotating intermediate, by its key or by the chain; the CA's root is none")
    func rotating() {
        let ye1 = S.pin("brzvtCELCIZUo4sD/qPX0ccRtPsd3DY6RfmxpOU9oB4=", line: 5)
        #expect(S.found("L31", S.file([S.host([ye1, S.pin(2)])]))?.severity == .warning)
        let wr1 = S.file([S.host([S.pin(80), S.pin(2)])])
        #expect(S.found("L31", wr1, S.situation(S.googleChain()))?.text.contains("WR1") == true)
        #expect(S.found("L31", wr1) == nil)
        let root = S.file([S.host([S.root("GTS Root R1"), S.pin(2)])])
        #expect(S.found("L31", root, S.situation(S.googleChain())) == nil)
    }

    @Test("L32: the leaf of a cloud's certificate; of one's own CA it is none")
    func managed() {
        let file = S.file([S.good()])
        #expect(S.found("L32", file, S.situation(S.googleChain(leaf: 1)))?.severity == .warning)
        let amazon = [S.certificate(.leaf, "CN=a", by: "CN=Amazon RSA 2048 M02,O=Amazon,C=US", key: S.digest(1))]
        #expect(S.found("L32", file, S.situation(amazon))?.text.contains("Amazon RSA 2048 M02") == true)
        #expect(S.found("L32", file, S.situation(S.privateChain(leaf: 1))) == nil)
        #expect(S.found("L32", S.file([S.host([S.pin(80), S.pin(5)])]), S.situation(S.googleChain(leaf: 1))) == nil)
    }

    @Test("L38: a key that each of many renewals has to keep; of a long-lived certificate it is none")
    func shortLived() {
        #expect(S.found("L38", S.file([S.good()]), S.situation(S.privateChain(leaf: 1)))?.severity == .note)
        var chain = S.privateChain(leaf: 1)
        chain[0].notAfter = CalendarDate(year: 2027, month: 11, day: 1)
        #expect(S.found("L38", S.file([S.good()]), S.situation(chain)) == nil)
        #expect(S.found("L38", S.file([S.host([S.pin(90), S.pin(5)])]), S.situation(S.privateChain())) == nil)
    }

    @Test("L39: old Android goes on to GlobalSign, new Android stops at GTS")
    func devices() {
        let newOnly = S.file([S.host([S.root("GTS Root R1"), S.pin(2)])])
        #expect(S.found("L39", newOnly, S.situation(S.googleChain())) == nil)
        let oldOnly = S.file([S.host([S.root("GlobalSign Root CA"), S.pin(2)])])
        let found = S.found("L39", oldOnly, S.situation(S.googleChain()))
        #expect(found?.severity == .warning)
        #expect(found?.text.contains("Android 10 to 17 (API 29 to 37)") == true)
        let both = S.file([S.host([S.root("GlobalSign Root CA"), S.root("GTS Root R1", line: 2)])])
        #expect(S.found("L39", both, S.situation(S.googleChain())) == nil)
    }
}
