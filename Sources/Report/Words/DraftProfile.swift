import Facts
import Policy
import Verdict

/// The profile that `pinproof init` writes, with what was seen of each host.
package struct DraftProfile {
    let look: FirstLook
    let ground: Ground

    package init(_ look: FirstLook, on ground: Ground = Ground()) {
        self.look = look
        self.ground = ground
    }

    package static let name = "draft"

    /// What nobody can see from outside: where names lead, and roots of origins' own.
    package struct Ground: Hashable, Sendable {
        /// Paths of PEM or DER files.
        package var roots: [String]
        /// Where a name leads, each as `resolve` of a profile has it.
        package var resolve: [(name: String, place: String)] {
            get { places.map { ($0[0], $0[1]) } }
            set { places = newValue.map { [$0.name, $0.place] } }
        }
        private var places: [[String]] = []

        package init(roots: [String] = [], resolve: [(name: String, place: String)] = []) {
            self.roots = roots
            self.resolve = resolve
        }

        /// What the two starts run with: every host is shown the CA in the second one.
        package var everything: String {
            (["version: 1", "name: \(DraftProfile.name)", "others: accept"] + lines).joined(separator: "\n") + "\n"
        }

        var lines: [String] {
            var lines: [String] = []
            if !places.isEmpty { lines += ["resolve:"] + resolve.map { "  \(quoted($0.name)): \(quoted($0.place))" } }
            if !roots.isEmpty { lines += ["upstream:", "  roots: [\(roots.map(quoted).joined(separator: ", "))]"] }
            return lines
        }

        /// A double-quoted scalar (YAML 1.2.2 §7.3.1).
        private func quoted(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
    }

    package var isWorthWriting: Bool { !refusing.isEmpty || !accepting.isEmpty || !unclear.isEmpty }

    /// Said where it is not: what was asked for and failed, else how COMMAND ended.
    package var nothingToWrite: String {
        let failed = look.hosts.compactMap { host -> String? in
            if case .failed(let reason) = host.untouched {
                "\(host.name.text) (\(reason ?? "no data came"))"
            } else {
                nil
            }
        }
        guard failed.isEmpty else {
            return
                "no host worked untouched, so there is none to write down: \(CourseWords.named(failed)). Say where a name "
                + "leads by `--resolve NAME=HOST:PORT`, which root an origin has by `--root FILE`, and see that the app works "
                + "without the gate."
        }
        let texts = [
            EarlyAdvice.said(look.ends.last).map { "\($0)." }, EarlyAdvice.silence(look.ends.last),
            FindingAdvice.cause("nothing-crossed"),
        ]
        return "nothing was asked for by TLS through the proxy, so there is no host to write down. "
            + texts.compactMap(\.self).joined(separator: " ")
    }

    private var refusing: [FirstLook.Host] {
        look.hosts.filter { if case .refused = $0.forged { $0.untouched == .data } else { false } }
    }

    private var accepting: [FirstLook.Host] { look.hosts.filter { $0.forged == .accepted } }

    private var unclear: [FirstLook.Host] {
        look.hosts.filter { host in
            host.untouched == .data && !refusing.contains(host) && !accepting.contains(host)
        }
    }

    /// Nothing took the CA, so that every refusal may be for want of trust.
    private var isUntrusted: Bool { accepting.isEmpty && !refusing.isEmpty }

    package var text: String {
        var lines = [
            "# Written by pinproof init from one untouched start and one under its CA. Read it, and correct it: what is here is",
            "# what the app did once, and a candidate is no verdict. docs/profile.md explains every key.",
            "version: 1", "", "hosts:",
        ]
        if isUntrusted {
            lines += [
                "  # No host took the CA: either all of them are pinned, or this build does not trust the CA. Install it where",
                "  # the app looks (pinproof ca export --help), and run init again.",
            ]
        }
        for host in refusing { lines += rule(host, "refuse") }
        if refusing.isEmpty {
            lines += [
                "  # No host refused the CA. Name here what the app is meant to pin:",
                "  #   api.example.com: { expect: refuse }",
            ]
        }
        for host in accepting where refusing.isEmpty { lines += rule(host, "accept") }
        for host in unclear { lines += rule(host, "tunnel") }
        lines += ["", "# Hosts that are not named: tunnel (the default), accept, or report.", "others: tunnel", ""]
        if !refusing.isEmpty {
            lines += [
                "# Hosts that the same build contacts without a pin: they show that it trusts the CA."
            ]
            lines += accepting.isEmpty ? ["# controls: [cdn.example.com]"] : ["controls:"]
            for host in accepting { lines.append("  - \(Self.key(host.name))") }
        }
        lines += ["", "attacks: standard", "cold_starts: 3"] + ground.lines
        return lines.joined(separator: "\n") + "\n"
    }

    private func rule(_ host: FirstLook.Host, _ expect: String) -> [String] {
        var lines: [String] = []
        let seen =
            switch host.forged {
            case .refused(let alert): "refused the CA (\(Self.plain(alert ?? "without a word")))"
            case .accepted: "took the CA"
            case .notServed(let reason): "could not be forged: \(Self.plain(reason))"
            case .notAskedFor: "was not asked for in the second start"
            case .undecided, .untouched: "neither took the CA nor refused it"
            }
        let origin = host.origin.map { $0.verified ? "; its server verifies" : "; its server does not verify" } ?? ""
        lines.append("  # \(seen)\(origin)")
        let pins = host.origin.map { $0.verified ? $0.spki : [] } ?? []
        guard expect == "refuse", let leaf = pins.first else {
            return lines + ["  \(Self.key(host.name)): { expect: \(expect) }"]
        }
        lines.append("  \(Self.key(host.name)):")
        lines.append("    expect: refuse")
        lines.append("    # its genuine keys today, the leaf's first; keep those that the app pins")
        lines.append("    pins:")
        lines.append("      - \"sha256/\(leaf)\"")
        lines += pins.dropFirst().map { "      # - \"sha256/\($0)\"" }
        return lines
    }

    /// A key of YAML: addresses of IPv6 have colons.
    private static func key(_ name: HostName) -> String { name.text.contains(":") ? "\"\(name.text)\"" : name.text }

    /// One line of a comment, whatever an origin said.
    private static func plain(_ text: String) -> String { Printable.excerpt(text) }
}
