import Facts
import Policy
import Verdict

/// `report.json`, schema `pinproof.report/1`, with its keys in the order of docs/report.md.
package enum JSONReport {
    package static let schema = "pinproof.report/1"

    package static func bytes(_ input: ReportInput) -> [UInt8] {
        var json = JSONWriter(layout: .indented, reserving: 8 << 10)
        json.beginObject()
        json.field("schema", schema)
        json.field("pinproof", input.pinproof)
        json.field("profile", input.profile)
        json.field("result", input.judgement.result.rawValue)
        json.field("exit_status", Int(input.judgement.result.exitStatus))
        json.field("started", input.started)
        json.field("seconds", (input.seconds * 1000).rounded() / 1000)
        json.key("ca")
        json.beginObject(inline: true)
        json.field("sha256", input.ca.sha256)
        json.field("scope", input.ca.scope)
        json.endObject()
        json.key("self_test")
        json.beginObject(inline: true)
        json.field("passed", input.selfTestPassed)
        json.field("problems", input.selfTest?.problems ?? [])
        json.endObject()
        json.key("hosts")
        json.beginArray()
        let (genuine, stacks) = (GenuineChains(input), SeenStacks(input))
        for host in input.judgement.hosts {
            write(host, Advice.steps(for: host, in: input.judgement), genuine, stacks, to: &json)
        }
        json.endArray()
        write(input.judgement.findings, to: &json)
        json.field("fault", orNull: input.judgement.fault)
        json.field("attacks", input.attacks.map(\.rawValue))
        json.field("runs", input.runFolders, inline: false)
        write(input.judgement.clients, to: &json)
        RunFacts.write(input, to: &json)
        json.writeCourse(of: input.judgement)
        if let comparison = input.comparison { comparison.write(to: &json) }
        json.endObject()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private static func write(
        _ host: HostVerdict, _ steps: [Advice.Step], _ genuine: GenuineChains, _ stacks: SeenStacks,
        to json: inout JSONWriter
    ) {
        json.beginObject()
        json.field("host", host.host)
        if let client = host.client { json.field("client", client) }
        json.field("expect", host.expect.rawValue)
        json.field("verdict", host.verdict.rawValue)
        json.field("strength", orNull: host.strength?.rawValue)
        json.field("subtype", orNull: host.subtype?.rawValue)
        json.field("missing", host.missing.map(\.name))
        json.field("why", host.why)
        json.field("cold_starts", host.coldStarts)
        json.key("acceptance_bound_95")
        if let bound = host.printedBound { json.value(bound) } else { json.null() }
        json.key("attacks")
        json.beginArray()
        for tally in host.attacks { write(tally, to: &json) }
        json.endArray()
        write(host.findings, to: &json)
        let standards = host.standards
        json.field("mastg", standards.mastg)
        json.field("maswe", standards.maswe)
        json.field("cwe", standards.cwe)
        json.field("rule", orNull: host.rule)
        json.field("required", host.required)
        let claim = Claim(host)
        json.field("claim", orNull: claim?.text)
        json.field("limits", claim?.limits ?? [], inline: false)
        json.field("next", steps.map(\.text), inline: false)
        let seen = steps.flatMap(\.seen)
        if !seen.isEmpty { json.field("seen", seen, inline: false) }
        write(genuine.chains(of: host), to: &json)
        write(stacks.stacks(of: host), to: &json)
        json.endObject()
    }

    /// The first chain that was met, and the others where there were any.
    private static func write(_ chains: [GenuineChain], to json: inout JSONWriter) {
        json.key("genuine")
        guard let first = chains.first else { return json.null() }
        json.beginObject()
        write(first, to: &json)
        if chains.count > 1 {
            json.key("others")
            json.beginArray()
            for chain in chains.dropFirst() {
                json.beginObject()
                write(chain, to: &json)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }

    private static func write(_ chain: GenuineChain, to json: inout JSONWriter) {
        json.field("verified", chain.isVerified)
        json.field("not_after", orNull: chain.expiry)
        json.key("chain")
        json.beginArray()
        for certificate in chain.certificates {
            json.beginObject(inline: true)
            json.field("sha256", certificate.sha256)
            json.field("pin", orNull: certificate.pin)
            json.field("subject", orNull: certificate.subject)
            json.field("not_after", orNull: certificate.notAfter)
            json.endObject()
        }
        json.endArray()
        json.field("anchor_pin", orNull: chain.anchorPin)
    }

    private static func write(_ tally: AttackTally, to json: inout JSONWriter) {
        json.beginObject()
        json.field("attack", tally.attack.rawValue)
        json.key("outcomes")
        json.beginObject(inline: true)
        for outcome in Outcome.allCases {
            // Outcomes are of intercepted connections: untouched ones have none, only bytes.
            json.field(outcome.rawValue, tally.attack == .passthrough ? 0 : tally.outcomes[outcome, default: 0])
        }
        json.endObject()
        json.field("connections", tally.connections)
        if !tally.dataForms.isEmpty { json.field("data_under", tally.dataUnder) }
        json.key("alerts")
        json.beginObject(inline: true)
        for (name, count) in tally.alerts.sorted(by: { $0.key < $1.key }) { json.field(name, count) }
        json.endObject()
        json.key("evidence")
        json.beginArray(inline: true)
        for line in tally.evidence { json.value(line) }
        json.endArray()
        json.field("bytes_up", tally.bytesUp)
        json.field("bytes_down", tally.bytesDown)
        json.endObject()
    }

    private static func write(_ findings: [Finding], to json: inout JSONWriter) {
        json.key("findings")
        json.beginArray()
        for finding in findings {
            json.beginObject()
            json.field("id", finding.id)
            json.field("severity", finding.severity.rawValue)
            json.field("text", finding.text)
            json.key("evidence")
            json.beginArray(inline: true)
            for line in finding.evidence { json.value(line) }
            json.endArray()
            json.field("host", orNull: finding.host)
            let standards = finding.standards
            json.field("mastg", standards.mastg)
            json.field("maswe", standards.maswe)
            json.field("cwe", standards.cwe)
            json.key("waived")
            if let waived = finding.waived {
                json.beginObject(inline: true)
                json.field("until", waived.until.description)
                json.field("reason", waived.reason)
                json.endObject()
            } else {
                json.null()
            }
            json.field("known", finding.isKnown)
            json.endObject()
        }
        json.endArray()
    }
}
