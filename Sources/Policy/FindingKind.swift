/// A kind of finding: its id, what it is about, and what the field's catalogues call it.
///
/// The list is here rather than with the judge, because a profile's waivers name findings.
package struct FindingKind: Hashable, Sendable {
    /// Whom it concerns.
    package enum Concern: Hashable, Sendable {
        /// The app: a team can waive it, and a baseline knows it.
        case app
        /// The run, its evidence or its profile: there is nothing to waive.
        case run
    }

    package let id: String
    /// In a few words, for a rule's description.
    package let about: String
    package let concern: Concern
    package let standards: Standards

    init(_ id: String, _ about: String, _ concern: Concern = .app, _ standards: Standards = .none) {
        self.id = id
        self.about = about
        self.concern = concern
        self.standards = standards
    }
}

/// Every kind of finding that this version can report.
package enum FindingCatalogue {
    package static func kind(_ id: String) -> FindingKind? { byID[id] }

    /// Ids that a waiver may name.
    package static let waivable = all.filter { $0.concern == .app }.map(\.id)

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    package static let all: [FindingKind] = [
        // What the app does wrong.
        FindingKind("session-cache-bypass", "data on a resumed TLS session, where no pin is checked", .app, .pin),
        FindingKind(
            "leak-after-refusal", "data by another way after a refusal: in the clear, or to an unpinned sibling", .app,
            Standards(
                mastg: [Standards.cleartextTest, Standards.pinningTest],
                maswe: [Standards.notEncrypted, Standards.pinning], cwe: ["CWE-319", "CWE-636"])),
        FindingKind(
            "pin-checked-late", "the pin is checked after data has left", .app,
            Standards(mastg: [Standards.pinningTest], maswe: [Standards.pinning], cwe: ["CWE-295", "CWE-696"])),
        FindingKind(
            "weak-pin", "the pin fits another host's certificate", .app,
            Standards(
                mastg: [Standards.pinningTest, Standards.hostnameTest], maswe: [Standards.pinning],
                cwe: ["CWE-295", "CWE-297"])),
        FindingKind(
            "asked-under-another-name", "data to the host on a connection that names another one", .app,
            Standards(
                mastg: [Standards.pinningTest, Standards.hostnameTest], maswe: [Standards.pinning],
                cwe: ["CWE-295", "CWE-297"])),
        FindingKind(
            "asked-over-another-connection", "a request for the host on a connection that was opened to another one",
            .app,
            Standards(
                mastg: [Standards.pinningTest], maswe: [Standards.pinning], cwe: ["CWE-295", "CWE-297"])),
        FindingKind(
            "pins-from-unpinned-host", "an unpinned host's answer names the pins of this one", .app,
            Standards(mastg: [Standards.pinningTest], maswe: [Standards.pinning], cwe: ["CWE-295", "CWE-345"])),
        FindingKind("undeclared-host", "a host that the profile does not name", .app),
        FindingKind("never-pinned", "declared to refuse, and pinned by nobody", .app, .pin),
        FindingKind(
            "retry-storm", "a refused host is asked over and over", .app, Standards(cwe: ["CWE-799"])),
        FindingKind(
            "no-recovery", "the app does not come back after a refusal", .app, Standards(cwe: ["CWE-755"])),
        FindingKind(
            "missing-pin-report", "a refusal that is not reported", .app, Standards(cwe: ["CWE-778"])),
        FindingKind("blocked-update-host", "the app cannot be told to update while its pins do not fit", .app),
        FindingKind(
            "weak-suites-offered", "cipher suites without encryption or authentication, or of export strength", .app,
            Standards(
                mastg: [Standards.protocolTest], maswe: [Standards.notEncrypted],
                cwe: ["CWE-322", "CWE-326", "CWE-327"])),
        FindingKind("plain-http", "the host is also asked for by plain HTTP", .app, .cleartext),
        FindingKind(
            "any-certificate", "a client that takes any certificate", .app, .validation("CWE-295", "CWE-296")),
        FindingKind("refused-once", "accepted in some trials, refused in others", .app),
        FindingKind("unread-tunnel", "a tunnel whose inside was neither TLS nor HTTP", .app),
        FindingKind("direct-connection", "a connection past the proxy", .app),
        FindingKind("quic-seen", "QUIC past the proxy", .app),

        // What a verdict should be read with.
        FindingKind("ct-like-refusal", "a refusal that Certificate Transparency might explain", .run),
        FindingKind("platform-default-refusal", "a refusal that an untrusted CA explains", .run),
        FindingKind("lent-key-refused", "the lent pinned key was refused", .app),
        FindingKind("no-occasion", "an attack that the client gave no occasion for", .run),
        FindingKind("resumed-session", "a session was resumed: no cold start", .run),
        FindingKind("reachability-probe", "asked in the clear whether there is a network, without data", .run),
        FindingKind("sni-differs", "another name was asked for than the SNI says", .run),
        FindingKind("local-anchors", "a policy that exempts local anchors looks the same", .run),
        FindingKind("signature-stage", "the genuine chain passed the certificate stage", .run),
        FindingKind("control-assumption", "what a control takes for granted", .run),
        FindingKind("other-explanations", "what else than a pin could explain the refusals", .run),
        FindingKind("evidence-not-counted", "another run is no control here", .run),
        FindingKind("refusal-unexplained", "the CA seems trusted, and why it was refused is not shown", .run),
        FindingKind("differential-not-repeated", "a difference seen too seldom to rest on", .run),
        FindingKind("attacks-tried", "what the verdict rests on", .run),

        // What concerns the run.
        FindingKind("nothing-crossed", "no connection reached the proxy in the first untouched start", .run),
        FindingKind("command-not-run", "COMMAND could not be run", .run),
        FindingKind("origin-unusable", "a host cannot be tested on this machine, whatever the app does", .run),
        FindingKind("not-visited", "nobody asked for any host that was to be judged", .run),
        FindingKind("visited-once", "only the first start asked for hosts", .run),
        FindingKind("name-slip", "a host was not asked for, and one with nearly its name was", .run),
        FindingKind("ca-not-trusted", "every control refused the CA", .run),
        FindingKind("shard", "one share of a plan that several jobs share", .run),
        FindingKind("shard-missing", "shares of a plan that are not among the runs", .run),
        FindingKind("left-out", "attacks that the time allowed was too short for", .run),
        FindingKind("fails-under-attack", "starts come to nothing under attack, and not untouched", .run),
        FindingKind("retried-starts", "starts that told nothing and were run again", .run),
        FindingKind("state-not-copied", "what the app left for its next start could not be copied", .run),
        FindingKind("interrupted", "the run did not come to its end", .run),
        FindingKind("different-ca", "the runs used different CAs", .run),
        FindingKind("different-builds", "the runs are of different app files", .run),
        FindingKind("profile-changed", "the runs were made with another profile", .run),
        FindingKind("merged-runs", "several runs judged as one", .run),
        FindingKind("evidence-remark", "something about the evidence file", .run),
        FindingKind("network-watched", "nothing went past the proxy", .run),
        FindingKind("network-watch-incomplete", "the network was not watched without gaps", .run),
        FindingKind("other-network-flows", "flows past the proxy of other hosts", .run),
        FindingKind("client-not-seen", "a client of the profile was never seen", .run),
        FindingKind("wrong-credentials", "proxy credentials that are no client's", .run),
        FindingKind("unattributed", "connections of none of the clients", .run),
        FindingKind("waiver-expired", "a waiver's date has passed, and what it waived still stands", .run),
        FindingKind("waiver-unused", "a waiver that waives nothing", .run),
        FindingKind("new-finding", "findings that the baseline does not know", .run),
    ]
}
