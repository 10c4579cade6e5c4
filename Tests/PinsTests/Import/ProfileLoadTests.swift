import Facts
import Testing

@testable import Pins

/// The loader itself is another module: these are its rules for what the writer writes.
@Suite("The profile loads")
struct ProfileLoadTests {
    private static let base = [
        "com", "a.com", "b.a.com", "c.b.a.com", "b.com", "A.COM", "10.0.0.1", "x y", "1.2", "é.com",
    ]

    private static func files(_ random: inout Seeded) -> [PinFile] {
        let formats: [PinFormat] = [.androidNSC, .appleATS, .okHttp, .cronet, .trustKit, .curl, .profile]
        return (0..<3).map { index in
            let format = formats.randomElement(using: &random) ?? .okHttp
            let reaches: [DeclaredHost.Reach] =
                switch format {
                case .appleATS: [.itself, [.itself, .children]]
                case .okHttp, .profile: [.itself, .children, [.itself, .descendants]]
                case .curl: [.itself]
                default: [.itself, [.itself, .descendants]]
                }
            let hosts = base.shuffled(using: &random).prefix(4).enumerated().map { line, domain in
                let pins = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    pin(UInt8.random(in: 1...5, using: &random))
                }
                return DeclaredHost(
                    domain.lowercased(), reaches.randomElement(using: &random) ?? .itself, pins: pins,
                    isEnforced: Int.random(in: 0...4, using: &random) > 0, format: format, line: line + 1)
            }
            return file("f\(index)\n- x: y", format, hosts)
        }
    }

    @Test("every line is one that the loader takes, and no host stands twice")
    func lines() {
        var random = Seeded(state: 3)
        for _ in 0..<25 {
            var keys: Set<String> = []
            for line in ProfileWriter(Self.files(&random)).text.split(separator: "\n", omittingEmptySubsequences: false)
            {
                let bare = line.drop { $0 == " " }
                if bare.isEmpty || bare.hasPrefix("# ") { continue }
                if ["version: 1", "hosts:", "    expect: refuse", "    pins:"].contains(line) { continue }
                if line.hasPrefix("      - sha256/") {
                    let digest = Base64.decoded(Array(line.dropFirst(15).utf8)[...])
                    #expect(digest?.count == 32 && Base64.encode(digest ?? []) == line.dropFirst(15))
                    continue
                }
                let end = [
                    "\":", ":", "\": { expect: accept, required: false }", ": { expect: accept, required: false }",
                ]
                .first { line.hasSuffix($0) }
                let ends = end ?? "\": { expect: refuse }"
                #expect(line.hasPrefix("  ") && line.hasSuffix(ends) || line.hasSuffix(": { expect: refuse }"))
                let key = String(line.dropFirst(2).prefix { $0 != ":" }.filter { $0 != "\"" })
                #expect(PinnedPattern(key).inProfile == key)
                #expect(keys.insert(key).inserted)
            }
        }
    }

    @Test("a profile's precedence comes to the same as the platforms'")
    func precedence() {
        var random = Seeded(state: 5)
        let hosts = ["com", "a.com", "x.com", "x.y.com", "b.a.com", "x.a.com", "x.b.a.com", "x.y.b.a.com", "x.y.a.com"]
        for _ in 0..<100 {
            let files = Self.files(&random)
            let rules = ProfileRules(files).rules.map { rule in
                let pattern = PinnedPattern(rule.pattern)
                let reach: DeclaredHost.Reach =
                    pattern.scope == .exact ? .itself : pattern.scope == .oneLabel ? .children : .descendants
                return DeclaredHost(
                    pattern.domain, reach,
                    pins: rule.pins.map { DeclaredPin(base64: String($0.dropFirst(7)), line: 1) },
                    isPinned: rule.refuses, format: .profile, line: 1)
            }
            for host in hosts {
                let said = PlatformRules(rules, .profile).effective(for: host)
                let stacks = files.flatMap { PlatformRules.of($0) }.map { $0.effective(for: host) }.filter {
                    $0.refuses()
                }
                #expect(said.isPinned == !stacks.isEmpty, "\(host)")
                #expect(Set(said.pins.map(\.name)) == Set(stacks.flatMap(\.pins).map(\.name)), "\(host) \(files)")
            }
        }
    }

    @Test("it stays within the loader's bounds, and says what is left out")
    func bounds() {
        let many = (0..<2_100).map { entry("h\($0).com", [pin(1)], .okHttp, line: $0 + 1) }
        let text = ProfileWriter([file("x.kt", .okHttp, many)]).text
        #expect(
            text.utf8.count < 1 << 20 && text.contains("# and 100 more hosts: a profile has at most 2000, and 1 MiB"))
        let pins = (0..<255).map { pin(UInt8($0)) }
        let large = (0..<100).map { entry("h\($0).com", pins, .okHttp, line: $0 + 1) }
        let cut = ProfileWriter([file("x.kt", .okHttp, large)]).text
        #expect(cut.utf8.count < 1 << 20 && cut.contains(" more hosts: a profile has at most"))
    }
}
