import Facts
import Policy

/// A name in a test that is no host name.
package struct NotAHost: Error {
    package let text: String

    package init(_ text: String) { self.text = text }
}

package func host(_ text: String) throws -> HostName {
    guard let host = HostName(text) else { throw NotAHost(text) }
    return host
}

package func pattern(_ text: String) throws -> HostPattern {
    guard let pattern = HostPattern(text) else { throw NotAHost(text) }
    return pattern
}

/// A profile by what is expected of its hosts.
package func profile(
    refuse: [String] = ["api.example.com"], accept: [String] = [], tunnel: [String] = [], controls: [String] = [],
    others: Others = .tunnel
) throws -> Profile {
    func rules(_ names: [String], _ expect: HostExpectation) throws -> [HostRule] {
        try names.map { HostRule(pattern: try pattern($0), expect: expect) }
    }
    return Profile(
        name: "test", rules: try rules(refuse, .refuse) + rules(accept, .accept) + rules(tunnel, .tunnel),
        others: others, controls: try controls.map { try pattern($0) })
}

package func sampleProfile(_ hosts: [(String, HostExpectation)] = [("api.test", .refuse)]) throws -> Profile {
    Profile(name: "sample", rules: try hosts.map { HostRule(pattern: try pattern($0), expect: $1) })
}

package func sampleHeader() -> RunHeader {
    RunHeader(
        pinproof: "0", openssl: "3", libevent: "2", started: "2026-01-01T00:00:00Z", profile: "sample",
        profileSHA256: "00", ca: RunHeader.CA(sha256: "11", scope: []), coldStarts: 1, attacks: [.trustedCA],
        options: [:])
}
