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

package func sampleProfile(_ hosts: [(String, HostExpectation)] = [("api.test", .refuse)]) throws -> Profile {
    let rules = try hosts.map { name, expect in
        guard let pattern = HostPattern(name) else { throw NotAHost(name) }
        return HostRule(pattern: pattern, expect: expect)
    }
    return Profile(name: "sample", rules: rules)
}

package func sampleHeader() -> RunHeader {
    RunHeader(
        pinproof: "0", openssl: "3", libevent: "2", started: "2026-01-01T00:00:00Z", profile: "sample",
        profileSHA256: "00", ca: RunHeader.CA(sha256: "11", scope: []), coldStarts: 1, attacks: [.trustedCA],
        options: [:])
}
