import Facts
import Testing

@testable import Pins

@Suite("rules of backups")
struct BackupRuleTests {
    typealias S = LintSamples

    @Test("L2: one key is a warning, two are none", arguments: [PinFormat.androidNSC, .okHttp, .trustKit, .hpkp])
    func backup(_ format: PinFormat) {
        let one = S.file([S.host([S.pin(1)], format)], [], format)
        #expect(S.found("L2", one)?.severity == .warning)
        #expect(S.found("L2", one)?.fix.contains("pinproof pins backup api.example.com") == true)
        #expect(S.found("L2", S.file([S.good(format)], [], format)) == nil)
    }

    @Test("L2: the same key twice, or a broken pin beside it, is no backup")
    func noRealBackup() {
        #expect(S.found("L2", S.file([S.host([S.pin(1), S.pin(1, line: 9)])])) != nil)
        #expect(S.found("L2", S.file([S.host([S.pin(1), S.pin("broken")])])) != nil)
    }

    @Test("L2: pins of entries that the platform unites count together")
    func united() {
        let wide = S.host("example.com", [.children], [S.pin(1)], .okHttp)
        let narrow = S.host("api.example.com", .itself, [S.pin(2)], .okHttp)
        let found = S.findings([S.file([wide, narrow], [], .okHttp)]).filter { $0.rule.id == "L2" }
        #expect(found.map(\.line) == [1])
        let same = S.host("api.example.com", .itself, [S.pin(1)], .okHttp)
        #expect(S.found("L2", S.file([same, narrow], [], .okHttp)) == nil)
    }

    @Test("L2: of Apple's two lists, which both have to match, the leaf's needs its own backup")
    func apple() {
        let lists = S.host([S.pin(1, .spkiSHA256, .leaf), S.pin(2, .spkiSHA256, .ca)], .appleATS)
        #expect(S.found("L2", S.file([lists], [], .appleATS))?.line == 1)
        let backed = S.host(
            [
                S.pin(1, .spkiSHA256, .leaf), S.pin(3, .spkiSHA256, .leaf), S.pin(2, .spkiSHA256, .ca),
                S.pin(4, .spkiSHA256, .ca),
            ], .appleATS)
        #expect(S.found("L2", S.file([backed], [], .appleATS)) == nil)
    }

    @Test("L2: a single CA beside two leaf keys locks out as well, for both lists have to match")
    func appleCA() {
        let leaves = [S.pin(1, .spkiSHA256, .leaf), S.pin(3, .spkiSHA256, .leaf)]
        let one = S.file([S.host(leaves + [S.pin(2, .spkiSHA256, .ca)], .appleATS)], [], .appleATS)
        let found = S.found("L2", one)
        #expect(found?.line == 2 && found?.text.contains("one pin in NSPinnedCAIdentities") == true)
        #expect(found?.fix.contains("second CA") == true && S.found("L37", one)?.line == 2)
        let two = leaves + [S.pin(2, .spkiSHA256, .ca), S.pin(4, .spkiSHA256, .ca)]
        #expect(S.found("L2", S.file([S.host(two, .appleATS)], [], .appleATS)) == nil)
        #expect(S.found("L37", S.file([S.host(two, .appleATS)], [], .appleATS)) == nil)
    }

    @Test("L2: a host that is not known has one pin all the same")
    func unknownHost() {
        func file(_ pins: [DeclaredPin], known: Bool = true) -> PinFile {
            var host = DeclaredHost(nil, [], pins: pins, isPinned: true, format: .okHttp, line: 3)
            host.pinsKnown = known
            return S.file([host], [], .okHttp)
        }
        let found = S.found("L2", file([S.pin(1)]))
        #expect(found?.severity == .warning && found?.line == 1 && found?.host == nil)
        #expect(S.found("L2", file([S.pin(1), S.pin(1, line: 9)])) != nil)
        #expect(S.found("L2", file([S.pin(1), S.pin(2)])) == nil)
        #expect(S.found("L2", file([S.pin(1)], known: false)) == nil)
    }

    @Test("L2: two domains of one pin set have it together")
    func twoDomains() {
        let hosts = ["a.example.com", "b.example.com"].map { S.host($0, [S.pin(1)], .androidNSC) }
        #expect(S.found("L2", S.file(hosts))?.text.hasPrefix("a.example.com and b.example.com have one pin") == true)
    }

    @Test("L2: one CA is no backup of itself, and its way out is another CA")
    func oneCA() {
        let root = S.found("L2", S.file([S.host([S.root("ISRG Root X1")])]))
        #expect(root?.severity == .warning && root?.fix.contains("second CA") == true)
        #expect(S.found("L2", S.file([S.host([S.pin(1, .spkiSHA256, .ca)], .appleATS)], [], .appleATS)) != nil)
    }

    @Test("L2: it does not hold for reports only, and for what is not at hand")
    func spared() {
        let reported = S.host("api.example.com", .itself, [S.pin(1)], isEnforced: false)
        #expect(S.found("L2", S.file([reported])) == nil)
        var unknown = S.host([S.pin(1)])
        unknown.pinsKnown = false
        #expect(S.found("L2", S.file([unknown])) == nil)
    }

    @Test("L2: a profile beside the app's own files is not told of again")
    func profiles() {
        let profile = S.file([S.host([S.pin(1)], .profile)], [], .profile, path: "profile.yaml")
        #expect(S.findings([profile]).contains { $0.rule.id == "L2" })
        #expect(!S.findings([profile, S.file([S.good()])]).contains { $0.rule.id == "L2" })
    }

    @Test("L37: one CA is a note; two CAs, or a leaf's key, are none")
    func singleCA() {
        let one = S.found("L37", S.file([S.host([S.root("ISRG Root X1")])]))
        #expect(one?.severity == .note)
        #expect(S.found("L37", S.file([S.host([S.root("ISRG Root X1"), S.root("GTS Root R1", line: 2)])])) == nil)
        #expect(S.found("L37", S.file([S.host([S.pin(1)])])) == nil)
        let both = S.found("L37", S.file([S.host([S.root("ISRG Root X1"), S.root("ISRG Root X2", line: 2)])]))
        #expect(both?.line == 1 && both?.text.contains("ISRG (ISRG Root X1 and ISRG Root X2)") == true)
        #expect(S.found("L37", S.file([S.host([S.root("ISRG Root X1"), S.pin(1)])])) == nil)
    }
}
