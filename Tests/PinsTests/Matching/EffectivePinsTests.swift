import Facts
import Testing

@testable import Pins

@Suite("Which chains pins let pass")
struct EffectivePinsTests {
    private func pins(_ format: PinFormat, _ pins: [DeclaredPin], known: Bool = true) -> EffectivePins {
        EffectivePins(format: format, entries: [entry("a.com", pins, format, known: known, pinned: true)])
    }

    @Test(
        "any pin of any certificate, the anchor's too",
        arguments: [PinFormat.androidNSC, .okHttp, .trustKit, .alamofire, .cronet, .hpkp, .profile, .neutral])
    func anyPin(_ format: PinFormat) {
        let pins = pins(format, [pin(9), pin(3)])
        #expect(pins.accepts(chain(1, 2, 3)) == .yes)
        #expect(pins.accepts(chain(3)) == .yes)
        #expect(pins.accepts(chain(1, 2)) == .no)
        #expect(pins.accepts(chain(1, 2), isComplete: false) == .unknown)
        #expect(pins.accepts([]) == .unknown)
    }

    @Test("Apple's leaf and CA lists must both pass, each against its own part of the chain")
    func apple() {
        let leaf = pins(.appleATS, [pin(1, .leaf), pin(9, .leaf)])
        #expect(leaf.accepts(chain(1, 2, 3)) == .yes)
        #expect(leaf.accepts(chain(2, 1, 3)) == .no)
        #expect(leaf.accepts(chain(2, 1), isComplete: false) == .no)
        let ca = pins(.appleATS, [pin(2, .ca)])
        #expect(ca.accepts(chain(1, 2, 3)) == .yes)
        #expect(ca.accepts(chain(2)) == .no)
        #expect(ca.accepts(chain(2, 3)) == .no)
        #expect(ca.accepts(chain(2, 3), isComplete: false) == .unknown)
        let both = pins(.appleATS, [pin(1, .leaf), pin(3, .ca)])
        #expect(both.accepts(chain(1, 2, 3)) == .yes)
        #expect(both.accepts(chain(1, 2, 4)) == .no)
        #expect(both.accepts(chain(5, 2, 3)) == .no)
        // The same on a platform that takes any pin.
        #expect(pins(.androidNSC, [pin(1, .leaf), pin(3, .ca)]).accepts(chain(1, 2, 4)) == .yes)
    }

    @Test("Apple's entries that unite may ask for more than each alone")
    func appleUnion() {
        let rules = PlatformRules(
            [
                entry("+.example.com", [pin(1, .leaf)], .appleATS), entry("api.example.com", [pin(3, .ca)], .appleATS),
            ], .appleATS)
        #expect(rules.effective(for: "api.example.com").accepts(chain(5, 2, 3)) == .no)
        #expect(rules.effective(for: "api.example.com").accepts(chain(1, 2, 3)) == .yes)
        #expect(rules.effective(for: "www.example.com").accepts(chain(1, 2, 4)) == .yes)
    }

    @Test("a malformed pin matches nothing, and a list of nothing else fails closed")
    func malformed() {
        #expect(pins(.okHttp, [malformedPin()]).accepts(chain(1)) == .no)
        #expect(pins(.okHttp, [malformedPin(), pin(1)]).accepts(chain(1)) == .yes)
        #expect(pins(.appleATS, [malformedPin("AAAA", .leaf), pin(2, .ca)]).accepts(chain(1, 2)) == .no)
        #expect(pins(.androidNSC, []).accepts(chain(1)) == .no)
    }

    @Test("curl looks at the leaf alone")
    func leaf() {
        #expect(pins(.curl, [pin(1, .leaf)]).accepts(chain(1, 2)) == .yes)
        #expect(pins(.curl, [pin(2, .leaf)]).accepts(chain(1, 2)) == .no)
    }

    @Test("what is not at hand is not answered")
    func unknown() {
        #expect(pins(.alamofire, [], known: false).accepts(chain(1)) == .unknown)
        #expect(pins(.okHttp, [pin(1)], known: false).accepts(chain(1)) == .yes)
        #expect(pins(.okHttp, [pin(1)], known: false).accepts(chain(2)) == .unknown)
        #expect(pins(.appleATS, [pin(1, .leaf)], known: false).accepts(chain(1)) == .unknown)
        let fingerprint = pins(.flutter, [pin(1, .leaf, .certificateSHA256)])
        #expect(fingerprint.accepts(chain(1)) == .unknown)
        let known = [CertificateDigests([.certificateSHA256: [UInt8](repeating: 1, count: 32)])]
        #expect(fingerprint.accepts(known) == .yes)
        #expect(fingerprint.accepts([CertificateDigests([.certificateSHA256: [0]])]) == .no)
    }

    @Test("no pins, report only and past its day let everything pass")
    func open() {
        let host = { EffectivePins(format: .trustKit, entries: $0) }
        #expect(host([]).accepts(chain(1)) == .yes)
        #expect(host([entry("a.com", [], .trustKit)]).accepts(chain(1)) == .yes)
        #expect(host([entry("a.com", [pin(9)], .trustKit, enforced: false)]).accepts(chain(1)) == .yes)
        let expiring = host([entry("a.com", [pin(9)], .trustKit, expires: "2027-06-01")])
        #expect(expiring.accepts(chain(1)) == .no)
        #expect(expiring.accepts(chain(1), on: CalendarDate("2027-05-31")) == .no)
        #expect(expiring.accepts(chain(1), on: CalendarDate("2027-06-01")) == .yes)
    }

    @Test("React Native's libraries unite entries on Android and take the nearest on iOS")
    func reactNative() {
        let rules = PlatformRules(
            [
                entry(".example.com", [pin(1)], .reactNative), entry("api.example.com", [pin(2)], .reactNative),
            ], .reactNative)
        let api = rules.effective(for: "api.example.com")
        #expect(api.accepts(chain(2)) == .yes)
        #expect(api.accepts(chain(1)) == .unknown)
        #expect(api.accepts(chain(3)) == .no)
    }

    @Test("each digest once, however often it is declared")
    func once() {
        let pins = EffectivePins(
            format: .okHttp,
            entries: [
                entry("a.com", [pin(1, line: 1), pin(1, line: 2)], .okHttp),
                entry("a.com", [pin(1, line: 3), pin(1, .any, .certificateSHA256)], .okHttp),
            ])
        #expect(pins.pins.map(\.line) == [1, 1] && pins.pins.map(\.kind) == [.spkiSHA256, .certificateSHA256])
    }
}
