import Facts
import Policy
import Support
import Testing
import Verdict

@testable import Gate

private func listing(
    _ profile: Profile, _ selection: AttackSelection, coldStarts: Int = 1, columns: Int? = nil
) -> [String] {
    let outline = Scheduler(
        profile: profile, attacks: selection.attacks, coldStarts: coldStarts, named: selection.named
    ).outline
    let listing = OutlineListing(profile: profile, outline: outline, coldStarts: coldStarts, columns: columns)
    return listing.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

@Test("each cold start has a line: its number, what is presented to whom, and what for")
func lines() throws {
    let lines = listing(try sampleProfile([("api.test", .refuse), ("cdn.test", .accept)]), .set(.quick))
    #expect(
        lines.prefix(4) == [
            "1  passthrough   -         nothing is touched: the hosts have to work before the attacks",
            "2  trusted-ca    api.test  the genuine names, dates and extensions under other keys, "
                + "signed by the CA the tester installed",
            "3  untrusted-ca  api.test  the same as trusted-ca, signed by a CA that was never installed",
            "4  passthrough   -         nothing is touched: the hosts have to work after the attacks",
        ])
    #expect(lines[4] == "")
    #expect(
        lines[5] == "about 4 runs of COMMAND where all is refused, at most 29; 1 of them under trusted-ca "
            + "(pinproof check measures how long they take)")
}

@Test("at a terminal no line is wider than it, and all that is said elsewhere is said", arguments: [40, 60, 80, 120])
func widths(columns: Int) throws {
    let profile = try sampleProfile([("api.test", .refuse), ("cdn.test", .accept)])
    let lines = listing(profile, .set(.all), columns: columns)
    #expect(lines.allSatisfy { $0.count <= columns })
    func words(_ lines: [String]) -> [Substring] {
        lines.joined(separator: " ").split(separator: " ", omittingEmptySubsequences: true)
    }
    // At 40 columns a name is longer than a line.
    let isSame = words(lines) == words(listing(profile, .set(.all)))
    #expect(isSame == (columns >= 60))
}

@Test("what depends on the client says on what")
func conditions() throws {
    let lines = listing(try sampleProfile([("api.test", .refuse)]), .set(.all), coldStarts: 2)
    func line(_ name: String) -> String { lines.first { $0.contains(" \(name) ") } ?? "" }
    #expect(line("later-connection/second").hasSuffix("only if a host is seen to open a second connection untouched"))
    #expect(line("later-connection/third").hasSuffix("only if a host is seen to open 3 connections untouched"))
    #expect(line("later-connection/after-2s").contains("a connection 2 s after its first one"))
    #expect(line("later-connection/after-3-requests").contains("after 3 requests"))
    #expect(
        line("resumed-session").hasSuffix("only if a client finishes a handshake under trusted-ca"))
    #expect(line("trusted-ca/second-start").hasSuffix("only if an untouched start left something in PINPROOF_STATE"))
    #expect(line("trusted-ca/newer").hasSuffix("TLS 1.3 or HTTP/2 where the origin takes less"))
    #expect(!line("wrong-key").contains("only if"))
    #expect(line("wrong-key/tls-1.2").contains("only if"))
}

@Test("many hosts are counted, and what is lent is for the hosts it was lent for")
func targets() throws {
    var profile = try sampleProfile([("a.test", .refuse), ("b.test", .refuse), ("c.test", .refuse)])
    let lender = try #require(HostName("b.test"))
    profile.lent[lender] = LentMaterial(backupKey: "b.key")
    let lines = listing(profile, .set(.quick))
    #expect(lines.contains { $0.contains("trusted-ca    a.test and 2 more") })
    #expect(lines.contains { $0.contains("lent-key      b.test ") })
}
