import Facts
import Testing

@testable import Pins

@Suite("Which entries a platform applies: what holds for all")
struct PlatformRulesPropertyTests {
    private static let domains = ["com", "a.com", "b.a.com", "c.b.a.com", "xa.com", "b.com", "a.b.a.com"]
    private static let hosts = domains + ["x.a.com", "x.y.a.com", "x.b.a.com", "x.c.b.a.com", "x.y.z.b.a.com", "org"]

    private static func declared(_ format: PinFormat, _ random: inout Seeded) -> [DeclaredHost] {
        let reaches: [DeclaredHost.Reach] =
            switch format {
            case .appleATS: [.itself, [.itself, .children]]
            case .okHttp, .profile: [.itself, .children, .descendants]
            default: [.itself, [.itself, .descendants]]
            }
        // Each domain once: the order of two for the same is another matter.
        return domains.shuffled(using: &random).prefix(5).enumerated().map { index, domain in
            DeclaredHost(
                domain, reaches.randomElement(using: &random) ?? .itself, pins: [pin(UInt8(index))], format: format,
                line: index + 1)
        }
    }

    @Test("case, a trailing dot and the order of the file make no difference", arguments: PinFormat.allCases)
    func order(_ format: PinFormat) {
        var random = Seeded(state: 7)
        for _ in 0..<40 {
            let entries = Self.declared(format, &random)
            let rules = PlatformRules(entries, format)
            let shuffled = PlatformRules(entries.shuffled(using: &random), format)
            for host in Self.hosts {
                let pins = rules.effective(for: host)
                #expect(rules.effective(for: host.uppercased() + ".") == pins)
                #expect(Set(shuffled.effective(for: host).entries) == Set(pins.entries))
                #expect(Set(shuffled.effective(for: host).passedOver) == Set(pins.passedOver))
            }
        }
    }

    @Test("what counts matches by itself, and is all of it or the nearest", arguments: PinFormat.allCases)
    func nearest(_ format: PinFormat) {
        var random = Seeded(state: 11)
        for _ in 0..<40 {
            let entries = Self.declared(format, &random)
            let rules = PlatformRules(entries, format)
            for host in Self.hosts {
                let pins = rules.effective(for: host)
                let covering = Set(entries.filter { $0.covers(host) })
                #expect(Set(pins.entries).union(pins.passedOver) == covering)
                switch format {
                case .androidNSC, .trustKit, .hpkp:
                    let longest = covering.max { ($0.domain ?? "").count < ($1.domain ?? "").count }
                    #expect(pins.entries == (longest.map { [$0] } ?? []))
                case .appleATS, .okHttp: #expect(pins.passedOver.isEmpty)
                case .cronet:
                    let above = entries.filter { host == $0.domain || host.hasSuffix("." + ($0.domain ?? "")) }
                    let longest = above.max { ($0.domain ?? "").count < ($1.domain ?? "").count }
                    #expect(pins.entries == (longest.map { $0.covers(host) ? [$0] : [] } ?? []))
                default: break
                }
            }
        }
    }

    @Test("a wide and deep file is quick to ask")
    func large() {
        let deep = (1...100).map { _ in "a" }.joined(separator: ".")
        let entries = (0..<50_000).map {
            DeclaredHost("h\($0).com", [.itself, .descendants], pins: [], format: .androidNSC, line: $0)
        }
        let rules = PlatformRules(entries, .androidNSC)
        #expect(rules.effective(for: deep + ".h49999.com").entries.map(\.line) == [49_999])
        let long = String(repeating: "a.", count: 500_000)
        #expect(rules.effective(for: long + "h1.com").entries == [])
    }
}
