/// Why a run was not worth going on with.
package struct EarlyEnd: Hashable, Sendable, Codable {
    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// No connection reached the proxy.
        case nothingCrossed = "nothing-crossed"
        /// The same, and COMMAND could not be run: a shell ended with 126 or 127.
        case commandNotRun = "command-not-run"
        /// A host's genuine server cannot be reached, does not verify, or gets no data from the app even untouched.
        case originUnusable = "origin-unusable"
        /// A host of the profile was not asked for, and one with nearly its name was.
        case nameSlip = "name-slip"
        /// Others were asked for, and nothing of what the run was to judge.
        case notVisited = "not-visited"
        /// The first start asked for hosts, and those under `trusted-ca` ended well without asking for any.
        case visitedOnce = "visited-once"
        /// Every control refused `trusted-ca`.
        case caNotTrusted = "ca-not-trusted"
    }

    package var reason: Reason
    /// The profile's hosts that it is about; empty: all.
    package var hosts: [HostName]
    /// Of a slip, what was asked for in the place of each of them; of `notVisited`, what was asked for at all.
    package var instead: [HostName]

    package init(_ reason: Reason, hosts: [HostName] = [], instead: [HostName] = []) {
        self.reason = reason
        self.hosts = hosts
        self.instead = instead
    }
}

extension EarlyEnd {
    enum CodingKeys: String, CodingKey { case reason, hosts, instead }

    package init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try keys.decode(Reason.self, forKey: .reason),
            hosts: try keys.decodeIfPresent([HostName].self, forKey: .hosts) ?? [],
            instead: try keys.decodeIfPresent([HostName].self, forKey: .instead) ?? [])
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("reason", reason.rawValue)
        json.fieldUnlessEmpty("hosts", hosts.map(\.text))
        json.fieldUnlessEmpty("instead", instead.map(\.text))
        json.endObject()
    }
}
