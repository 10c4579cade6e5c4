import Facts
import Testing

@testable import Web

@Suite("Admission")
struct AdmissionTests {
    private func admission(wildcard: Bool = false) throws -> Admission {
        Admission(listen: try #require(Endpoint("127.0.0.1:8081")), isWildcard: wildcard, token: "abc123")
    }

    private func judge(
        _ headers: [String: String], method: String = "GET", target: String = "/api/status", wildcard: Bool = false
    ) throws -> Admission.Verdict {
        try admission(wildcard: wildcard).judge(Question(method: method, target: target, headers: headers))
    }

    private func status(_ verdict: Admission.Verdict) -> Int? {
        if case .refused(let status, _) = verdict { status } else { nil }
    }

    @Test("the token is good as a header, in any case of its scheme, and as this port's cookie")
    func tokens() throws {
        for headers in [
            ["authorization": "Bearer abc123"], ["authorization": "bearer abc123"], ["cookie": "pinproof_8081=abc123"],
            ["cookie": "a=b; pinproof_8081=abc123; c=d"],
        ] {
            #expect(try judge(headers.merging(["host": "127.0.0.1:8081"]) { $1 }) == .admitted, "\(headers)")
        }
    }

    @Test(
        "without it, with a wrong one, or another port's cookie nobody comes in",
        arguments: [
            [:], ["authorization": "Bearer abc124"], ["authorization": "Bearer abc12"], ["authorization": "Bearer "],
            ["authorization": "Basic abc123"], ["authorization": "abc123"], ["cookie": "pinproof_8082=abc123"],
            ["cookie": "pinproof_8081="], ["authorization": "Bearer wrong", "cookie": "pinproof_8081=abc123"],
        ])
    func noToken(headers: [String: String]) throws {
        #expect(status(try judge(headers.merging(["host": "127.0.0.1:8081"]) { $1 })) == 401)
    }

    @Test(
        "a name that was bound to loopback by DNS is no name of ours",
        arguments: [
            "evil.test:8081", "evil.test", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8082", "",
            "[::1]:8081",
            "192.168.1.5:8081", "localhost", "localhost.evil.test:8081", "127.0.0.1.nip.io:8081", "127.0.0.1:8081:8081",
        ])
    func rebinding(host: String) throws {
        #expect(status(try judge(["host": host, "authorization": "Bearer abc123"])) == 421)
    }

    @Test("no Host at all is refused as well")
    func noHost() throws { #expect(status(try judge(["authorization": "Bearer abc123"])) == 421) }

    @Test(
        "an address is ours however it is spelt: no name is bound to it", arguments: ["127.0.0.1:8081", "127.1:8081"])
    func spelling(host: String) throws {
        #expect(try judge(["host": host, "authorization": "Bearer abc123"]) == .admitted)
    }

    @Test("localhost is ours in any case of its letters")
    func localhost() throws {
        #expect(try judge(["host": "LocalHost:8081", "authorization": "Bearer abc123"]) == .admitted)
    }

    @Test("whoever listens everywhere is asked for by any address, and by no name")
    func everywhere() throws {
        let token = ["authorization": "Bearer abc123"]
        #expect(try judge(token.merging(["host": "192.168.1.5:8081"]) { $1 }, wildcard: true) == .admitted)
        #expect(status(try judge(token.merging(["host": "evil.test:8081"]) { $1 }, wildcard: true)) == 421)
    }

    @Test(
        "another page's requests are refused, whatever they bring along",
        arguments: [
            ["origin": "http://evil.test"], ["origin": "null"], ["origin": "http://127.0.0.1:9999"],
            ["origin": "https://127.0.0.1:8081"], ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"],
        ])
    func foreign(headers: [String: String]) throws {
        let all = headers.merging(["host": "127.0.0.1:8081", "cookie": "pinproof_8081=abc123"]) { $1 }
        #expect(status(try judge(all)) == 403)
        #expect(status(try judge(all, method: "POST", target: "/api/hosts")) == 403)
        #expect(status(try judge(all, target: "/api/events")) == 403)
    }

    @Test("our own page's are not")
    func own() throws {
        let all = [
            "host": "localhost:8081", "origin": "http://localhost:8081", "sec-fetch-site": "same-origin",
            "cookie": "pinproof_8081=abc123",
        ]
        #expect(try judge(all, method: "DELETE", target: "/api/flows") == .admitted)
    }

    @Test("the printed link opens the page, from elsewhere too; a wrong one does not, and no other path takes it")
    func link() throws {
        let host = ["host": "127.0.0.1:8081"]
        #expect(try judge(host, target: "/?token=abc123") == .opens)
        let elsewhere = ["host": "127.0.0.1:8081", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"]
        #expect(try judge(elsewhere, target: "/?token=abc123") == .opens)
        #expect(status(try judge(host, target: "/?token=abc12")) == 401)
        #expect(status(try judge(host, target: "/?token=")) == 401)
        #expect(status(try judge(host, target: "/api/status?token=abc123")) == 401)
        #expect(status(try judge(host, method: "POST", target: "/?token=abc123")) == 401)
    }
}
