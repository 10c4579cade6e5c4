import Facts
import Testing

@testable import Policy

@Suite("ClientReach")
struct ClientReachTests {
    private static let port: UInt16 = 8080
    private static let phone = "192.168.1.20"
    private static let machine: Set<IPAddress> = Set(
        ["127.0.0.1", "::1", "192.168.1.5", "2001:db8::5", "fe80::5"].compactMap { IPAddress($0) })

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text), "\(text)") }

    private func refusal(
        of client: String? = Self.phone, to target: String, port: UInt16 = 443, isNamed: Bool = false,
        listening listens: [String] = ["0.0.0.0"]
    ) throws -> ClientReach.Refusal? {
        let reach = ClientReach(
            listens: try listens.map { ClientReach.Listen(try address($0), Self.port) })
        return try reach.refusal(
            of: client.map(address), to: address(target), port: port, isNamed: isNamed, machine: { Self.machine })
    }

    @Test("clients of public addresses are let in where it is open, others always")
    func admission() throws {
        let closed = ClientReach()
        let open = ClientReach(isOpen: true)
        for text in ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "100.64.1.1", "fe80::1", "fd00::1", "169.254.1.1"] {
            #expect(try closed.isAdmitted(address(text)) && open.isAdmitted(address(text)), "\(text)")
        }
        for text in ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"] {
            #expect(try !closed.isAdmitted(address(text)) && open.isAdmitted(address(text)), "\(text)")
        }
        #expect(!closed.isAdmitted(nil) && open.isAdmitted(nil))
    }

    @Test(
        "who is elsewhere reaches neither this machine's loopback nor its link, unless that is meant",
        arguments: [
            ("127.0.0.1", ClientReach.Refusal.loopback), ("127.8.9.1", .loopback), ("::1", .loopback),
            ("::ffff:127.0.0.1", .loopback), ("0.0.0.0", .loopback), ("::", .loopback), ("::ffff:0.0.0.0", .loopback),
            ("169.254.169.254", .linkLocal), ("fe80::1", .linkLocal), ("::ffff:169.254.169.254", .linkLocal),
        ])
    func elsewhere(target: String, reason: ClientReach.Refusal) throws {
        #expect(try refusal(to: target) == reason)
        #expect(try refusal(of: nil, to: target) == reason)
        #expect(try refusal(of: "8.8.8.8", to: target) == reason)
        #expect(try refusal(of: "192.168.1.5", to: target) == reason)
        #expect(try refusal(to: target, isNamed: true) == nil)
        for client in ["127.0.0.1", "127.0.0.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try refusal(of: client, to: target) == nil)
        }
    }

    @Test(
        "all other addresses are called for everybody", arguments: ["1.1.1.1", "192.168.1.9", "192.168.1.5", "fd00::1"])
    func others(target: String) throws {
        for client in [Self.phone, "127.0.0.1", "8.8.8.8"] { #expect(try refusal(of: client, to: target) == nil) }
    }

    @Test("nobody reaches the proxy itself, by whatever name and address")
    func itself() throws {
        for (client, isNamed) in [(Self.phone, false), (Self.phone, true), ("127.0.0.1", false), ("127.0.0.1", true)] {
            func isOwn(_ target: String, _ listens: [String]) throws -> Bool {
                try refusal(of: client, to: target, port: Self.port, isNamed: isNamed, listening: listens) == .ownListen
            }
            for target in ["127.0.0.1", "127.0.0.2", "192.168.1.5", "0.0.0.0", "::ffff:192.168.1.5"] {
                #expect(try isOwn(target, ["0.0.0.0"]), "\(target)")
                #expect(try isOwn(target, ["::"]), "\(target)")
            }
            for target in ["::1", "2001:db8::5", "::"] {
                #expect(try isOwn(target, ["::"]), "\(target)")
                // A socket of IPv4 alone is not there.
                #expect(try !isOwn(target, ["0.0.0.0"]), "\(target)")
            }
            #expect(try isOwn("192.168.1.5", ["192.168.1.5"]) && !isOwn("192.168.1.5", ["127.0.0.1"]))
            #expect(try isOwn("127.0.0.1", ["127.0.0.1"]) && !isOwn("127.0.0.2", ["127.0.0.1"]))
            #expect(try isOwn("::1", ["::1"]) && isOwn("0.0.0.0", ["127.0.0.1"]) && isOwn("::", ["::1"]))
            #expect(try isOwn("::ffff:127.0.0.1", ["127.0.0.1"]) && isOwn("127.0.0.1", ["::ffff:127.0.0.1"]))
            #expect(try isOwn("192.168.1.5", ["127.0.0.1", "192.168.1.5"]))
            #expect(try !isOwn("192.168.1.9", ["0.0.0.0"]) && !isOwn("1.1.1.1", ["::"]) && !isOwn("127.0.0.1", []))
        }
        #expect(try refusal(of: "127.0.0.1", to: "127.0.0.1", port: Self.port + 1) == nil)
    }

    @Test("asks for this machine's addresses only where they decide")
    func laziness() throws {
        let reach = ClientReach(listens: [ClientReach.Listen(try address("0.0.0.0"), Self.port)])
        var asked = 0
        func refusal(_ target: String, _ port: UInt16) throws -> ClientReach.Refusal? {
            try reach.refusal(of: address(Self.phone), to: address(target), port: port, isNamed: false) {
                asked += 1
                return Self.machine
            }
        }
        #expect(try refusal("1.1.1.1", 443) == nil && refusal("127.0.0.1", Self.port) == .ownListen && asked == 0)
        #expect(try refusal("1.1.1.1", Self.port) == nil && asked == 1)
    }

    @Test("every refusal has its own words")
    func words() {
        let all: [ClientReach.Refusal] = [.ownListen, .loopback, .linkLocal]
        #expect(Set(all.map(\.description)).count == all.count)
    }
}

@Test("a profile names the hosts of its rules, controls and redirections")
func namedHosts() throws {
    func host(_ text: String) throws -> HostName { try #require(HostName(text)) }
    let profile = Profile(
        name: "p",
        rules: [
            HostRule(pattern: try #require(HostPattern("api.example.com")), expect: .refuse),
            HostRule(pattern: try #require(HostPattern("*.cdn.example.com")), expect: .tunnel),
        ],
        others: .accept, controls: [try #require(HostPattern("control.example"))],
        resolve: [try host("localhost"): Destination(try host("127.0.0.1"), 8443)])
    for text in ["api.example.com", "a.cdn.example.com", "control.example", "localhost"] {
        #expect(try profile.names(host(text)), "\(text)")
    }
    // Neither what `others` says of the rest, nor where a name leads, names a host.
    for text in ["other.example", "127.0.0.1", "a.b.cdn.example.com"] {
        #expect(try !profile.names(host(text)), "\(text)")
    }
}
