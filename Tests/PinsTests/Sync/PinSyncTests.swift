import Facts
import Testing

@testable import Pins

@Suite("Whether files agree on pins")
struct PinSyncTests {
    private func nsc(_ hosts: DeclaredHost...) -> PinFile { file("n.xml", .androidNSC, hosts) }
    private func plist(_ hosts: DeclaredHost...) -> PinFile { file("i.plist", .appleATS, hosts) }
    private func kotlin(_ hosts: DeclaredHost...) -> PinFile { file("o.kt", .okHttp, hosts) }

    /// Severity, kind, place and words of each.
    private func told(_ files: PinFile..., today: String? = nil) -> [String] {
        PinSync(files, today: today.flatMap { CalendarDate($0) }).disagreements.map {
            "\($0.severity.rawValue) \($0.kind.rawValue) \($0.file):\($0.line.map(String.init) ?? "-") \($0.text)"
        }
    }

    @Test("the same pins agree, whatever the order, the format and the list that they stand in")
    func agree() {
        let files = [
            nsc(entry("a.com", [pin(1), pin(2)], .androidNSC, line: 7)),
            plist(entry("a.com", [pin(2, .leaf), pin(1, .leaf)], .appleATS, line: 5)),
            kotlin(entry("a.com", [pin(1)], .okHttp, line: 2), entry("a.com", [pin(2)], .okHttp, line: 3)),
            file("c.sh", .curl, [entry("a.com", [pin(1, .leaf), pin(2, .leaf)], .curl)]),
        ]
        let sync = PinSync(files)
        #expect(sync.agrees && sync.disagreements.isEmpty && sync.hosts.count == 1)
        #expect(sync.text == "1 host and the files agree\n")
    }

    @Test("a pin that one file lacks is told with that file's line")
    func missing() {
        let one = nsc(entry("a.com", [pin(1), pin(2)], .androidNSC, line: 7))
        let other = kotlin(entry("a.com", [pin(1)], .okHttp, line: 3))
        let words = "lacks \(pin(2).name) for a.com, which n.xml:7 has"
        #expect(told(one, other) == ["error missing-pin o.kt:3 \(words)"])
        #expect(PinSync([one, other]).text == "error: o.kt:3: \(words)\n1 of 1 host: the files disagree\n")
        #expect(!PinSync([one, other]).agrees)
    }

    @Test("a pin that one of several files has alone is one too many there")
    func extra() {
        let plist = plist(entry("a.com", [pin(1, .leaf)], .appleATS, line: 5))
        let nsc = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7))
        let okHttp = kotlin(entry("a.com", [pin(1), pin(3, line: 4)], .okHttp, line: 3))
        #expect(
            told(nsc, plist, okHttp) == [
                "error extra-pin o.kt:4 has \(pin(3).name) for a.com, which n.xml:7 and i.plist:5 lack"
            ])
    }

    @Test("a malformed pin is as one that is not there")
    func malformed() {
        let one = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7))
        let other = plist(entry("a.com", [malformedPin("AAAA", .leaf)], .appleATS, line: 3))
        #expect(told(one, other) == ["error missing-pin i.plist:3 lacks \(pin(1).name) for a.com, which n.xml:7 has"])
    }

    @Test("a host that one file does not pin is told, with the entry that opens it")
    func notPinned() {
        let one = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7), entry("b.com", [], .androidNSC, line: 12))
        let other = kotlin(entry("b.com", [pin(1)], .okHttp, line: 3))
        #expect(
            told(one, other) == [
                "error not-pinned o.kt:- does not pin a.com, and n.xml:7 does",
                "error not-pinned n.xml:12 has an entry without pins for b.com, and o.kt:3 does pin it",
            ])
    }

    @Test("Apple's one label against any depth is told and is no disagreement, but leaving subdomains out is one")
    func reach() {
        let deep = nsc(entry(".a.com", [pin(1)], .androidNSC, line: 7))
        let oneLabel = plist(entry("+.a.com", [pin(1, .leaf)], .appleATS, line: 4))
        #expect(
            told(deep, oneLabel) == [
                "note reach i.plist:4 pins names of one label below a.com at most, as the platform knows no more: below "
                    + "that n.xml:7 pins alone"
            ])
        #expect(PinSync([deep, oneLabel]).agrees)
        let bare = plist(entry("a.com", [pin(1, .leaf)], .appleATS, line: 4))
        #expect(told(deep, bare) == ["error reach i.plist:- does not pin **.a.com, and n.xml:7 does"])
        #expect(
            told(nsc(entry("a.com", [pin(1)], .androidNSC, line: 7)), oneLabel) == [
                "error reach n.xml:- does not pin *.a.com, and i.plist:4 does"
            ])
        // A host two labels down that is named is not pinned on Apple's platforms.
        let named = kotlin(
            entry(".a.com", [pin(1)], .okHttp, line: 2), entry("x.y.a.com", [pin(1)], .okHttp, line: 3))
        #expect(
            told(named, oneLabel).last == "error not-pinned i.plist:- does not pin x.y.a.com, and o.kt:2 does")
        let exact = file("c.sh", .curl, [entry("a.com", [pin(1, .leaf)], .curl, line: 2)])
        #expect(
            told(deep, exact) == ["note reach c.sh:- pins exact names only, and **.a.com is pinned in n.xml:7"])
    }

    @Test("leaf and CA: an issuer's pin is not asked of what looks at the leaf, and not both ways of reading one pin")
    func parts() {
        let both = plist(entry("a.com", [pin(1, .leaf), pin(2, .ca)], .appleATS, line: 4))
        let any = nsc(entry("a.com", [pin(1), pin(2)], .androidNSC, line: 7))
        let curl = file("c.sh", .curl, [entry("a.com", [pin(1, .leaf)], .curl, line: 2)])
        #expect(
            told(both, any, curl) == [
                "note part i.plist:4 asks for a pin of the leaf and for one of a CA at a.com, and n.xml:7 and c.sh:2 for "
                    + "one pin alone"
            ])
        #expect(told(any, curl) == ["error missing-pin c.sh:2 lacks \(pin(2).name) for a.com, which n.xml:7 has"])
        let wrong = file("c.sh", .curl, [entry("a.com", [pin(1, .leaf), pin(2, .leaf)], .curl, line: 2)])
        #expect(
            told(both, wrong).last
                == "error part c.sh:2 compares \(pin(2).name) with the server's own key for a.com, and i.plist:4 with its "
                + "issuers'")
    }

    @Test("certificates' and keys' hashes are not compared, and that is said")
    func kinds() {
        let keys = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7))
        let flutter = file("m.dart", .flutter, [entry("a.com", [pin(1, .leaf, .certificateSHA256)], .flutter, line: 9)])
        #expect(
            told(keys, flutter) == [
                "note not-comparable m.dart:9 has no SHA-256 of a key for a.com, as n.xml:7 has",
                "note not-comparable n.xml:7 has no SHA-256 of a certificate for a.com, as m.dart:9 has",
            ])
        let other = file("n.dart", .flutter, [entry("a.com", [pin(2, .leaf, .certificateSHA256)], .flutter, line: 1)])
        #expect(!PinSync([flutter, other]).agrees)
        let missing = file("a.swift", .alamofire, [entry("a.com", [], .alamofire, line: 3, known: false, pinned: true)])
        #expect(
            told(keys, missing) == [
                "note unknown-pins a.swift:3 pins a.com by what is not at hand, which cannot be compared"
            ])
        let header = file("h.txt", .hpkp, [entry(nil, [pin(5)], .hpkp, line: 1)])
        #expect(
            told(keys, header) == [
                "note not-comparable h.txt:1 does not say which host it is for: its pins are not compared"
            ])
    }

    @Test("reporting only, and other days, are disagreements; a platform without days is told of")
    func enforcementAndExpiry() {
        let reports = file("t.plist", .trustKit, [entry("a.com", [pin(1)], .trustKit, line: 3, enforced: false)])
        let keys = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7))
        #expect(
            told(keys, reports) == [
                "error enforcement t.plist:3 only reports a failed pin of a.com, and n.xml:7 refuses"
            ])
        let ends = nsc(entry("a.com", [pin(1)], .androidNSC, line: 7, expires: "2027-06-01"))
        let okHttp = kotlin(entry("a.com", [pin(1)], .okHttp, line: 2))
        #expect(
            told(ends, okHttp) == [
                "note expiry o.kt:2 pins a.com without end, and the pins of n.xml:7 are off from 2027-06-01 on"
            ])
        let later = file("t.plist", .trustKit, [entry("a.com", [pin(1)], .trustKit, line: 3, expires: "2027-07-01")])
        #expect(
            told(ends, later) == [
                "error expiry t.plist:3 has pins for a.com that are off from 2027-07-01 on, and those of n.xml:7 from "
                    + "2027-06-01 on"
            ])
        #expect(
            told(ends, okHttp, today: "2027-06-01").first
                == "error expiry n.xml:7 has pinned a.com until 2027-06-01, and does so no more")
        let never = file("t.plist", .trustKit, [entry("a.com", [pin(1)], .trustKit, line: 3)])
        #expect(!PinSync([ends, never]).agrees && PinSync([keys, never]).agrees)
    }

    @Test("very many disagreements at one host are cut, and remain disagreements")
    func many() {
        let one = nsc(entry("a.com", (0..<100).map { pin($0) }, .androidNSC, line: 7))
        let other = kotlin(entry("a.com", (100..<200).map { pin($0) }, .okHttp, line: 3))
        let found = PinSync([one, other])
        #expect(!found.agrees && found.disagreements.count == 65)
        #expect(found.disagreements.last?.text == "there are 136 more things in which the files differ at a.com")
    }

    @Test("what unites or shadows on a platform is held against what counts, not what is declared")
    func effective() {
        let nested = nsc(
            entry(".a.com", [pin(1)], .androidNSC, line: 3), entry("b.a.com", [pin(2)], .androidNSC, line: 6))
        let united = kotlin(entry(".a.com", [pin(1)], .okHttp, line: 2), entry("b.a.com", [pin(2)], .okHttp, line: 3))
        #expect(
            told(nested, united) == [
                "error missing-pin n.xml:6 lacks \(pin(1).name) for b.a.com, which o.kt:2 has"
            ])
    }
}
