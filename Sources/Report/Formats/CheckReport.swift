import Facts
import Policy
import Verdict

/// What `pinproof check --json` prints (`pinproof.check/1`), keys as in docs/report.md.
package enum CheckReport {
    package static let schema = "pinproof.check/1"

    package static func text(_ check: CheckText) -> String {
        let look = check.look
        var json = JSONWriter(layout: .indented, reserving: 4 << 10)
        json.beginObject()
        json.field("schema", schema)
        json.field("profile", check.profile.name)
        json.field("ready", check.problems.isEmpty)
        json.field("exit_status", Int(check.status))
        json.key("problems")
        json.beginArray()
        for problem in check.problems {
            json.beginObject()
            json.field("text", problem.text)
            json.field("environment", problem.isEnvironment)
            json.endObject()
        }
        json.endArray()
        json.field("starts", look.ends.count)
        json.field("connections", look.connections)
        json.key("past_proxy")
        if let past = look.past { json.value(past) } else { json.null() }
        json.key("ca_trusted")
        if let isTrusted = look.isTrusted { json.value(isTrusted) } else { json.null() }
        json.key("stacks")
        json.beginArray()
        for stack in look.stacks { write(stack, to: &json) }
        json.endArray()
        json.key("hosts")
        json.beginArray()
        for host in look.hosts { write(host, to: &json) }
        json.endArray()
        json.key("seconds_per_start")
        if let seconds = look.secondsPerStart { json.value((seconds * 1000).rounded() / 1000) } else { json.null() }
        json.key("gate_starts")
        json.beginObject(inline: true)
        json.field("typical", check.typical)
        json.field("most", check.worst)
        json.endObject()
        json.field("ended_early", orNull: look.early?.reason.rawValue)
        json.field("run", check.folder)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ stack: FirstLook.Stack, to json: inout JSONWriter) {
        json.beginObject()
        json.field("names", stack.names.map(\.rawValue))
        json.field("ja4", stack.ja4)
        json.field("versions", stack.versions.map { "\($0)" })
        json.field("alpn", stack.alpn)
        json.field("hosts", stack.hosts.map(\.text))
        json.field("trusts_ca", stack.trustsCA)
        json.endObject()
    }

    private static func write(_ host: FirstLook.Host, to json: inout JSONWriter) {
        json.beginObject()
        json.field("host", host.name.text)
        json.field("role", word(host.role))
        json.field("required", host.isRequired)
        let (untouched, fault) = words(host.untouched)
        json.field("untouched", untouched)
        json.field("untouched_error", orNull: fault)
        let (forged, detail) = words(host.forged)
        json.field("under_ca", forged)
        json.field("under_ca_detail", orNull: detail)
        json.key("genuine")
        if let origin = host.origin {
            json.beginObject()
            json.field("verified", origin.verified)
            json.field("certificates", origin.chain, inline: false)
            json.field("pins", origin.spki.map { "sha256/\($0)" }, inline: false)
            json.field("error", orNull: origin.error)
            json.endObject()
        } else {
            json.null()
        }
        json.key("has_pin")
        if let hasPin = host.hasPin { json.value(hasPin) } else { json.null() }
        json.endObject()
    }

    private static func word(_ role: HostRole) -> String {
        switch role {
        case .refuse: "refuse"
        case .accept: "accept"
        case .control: "control"
        case .tunnel: "tunnel"
        case .undeclared: "undeclared"
        }
    }

    private static func words(_ untouched: FirstLook.Host.Untouched) -> (String, String?) {
        switch untouched {
        case .notAskedFor: ("not-asked-for", nil)
        case .data: ("data", nil)
        case .failed(let reason): ("failed", reason)
        case .clear: ("cleartext", nil)
        }
    }

    private static func words(_ forged: FirstLook.Host.Forged) -> (String, String?) {
        switch forged {
        case .notAskedFor: ("not-asked-for", nil)
        case .accepted: ("accepted", nil)
        case .refused(let alert): ("refused", alert)
        case .notServed(let reason): ("not-served", reason)
        case .undecided: ("undecided", nil)
        case .untouched: ("untouched", nil)
        }
    }
}

extension FirstLook {
    /// nil: nobody was shown a certificate by the CA that it could have taken.
    package var isTrusted: Bool? {
        if hosts.contains(where: { $0.forged == .accepted }) { return true }
        return hosts.contains { if case .refused = $0.forged { true } else { false } } ? false : nil
    }
}
