import Facts
import Policy
import Verdict

/// One host: what was claimed, what is missing, and how every attack ended.
struct HTMLHostSection {
    let host: HostVerdict
    let index: Int
    let evidence: HTMLEvidence
    let genuine: GenuineChains
    let stacks: SeenStacks

    var text: HTMLText {
        let name: HTMLText = "<span class=\"name\">\(HTMLReport.breakable(host.label))</span>"
        var out: HTMLText = "<section class=\"host \(host.standing.cssClass)\" aria-labelledby=\"host-\(index)\">\n"
        out += "<h3 id=\"host-\(index)\">\(name) \(HTMLReport.badge(host))</h3>\n"
        out += "<p>\(host.why)</p>\n"
        if let claim = Claim(host) {
            out += "<p class=\"claim\"><strong>Claim.</strong> \(claim.text)</p>\n<ul class=\"limits\">\n"
            for limit in claim.limits { out += "<li>\(limit)</li>\n" }
            out += "</ul>\n"
        }
        if !host.missing.isEmpty { out += HTMLReport.missing(host) }
        if !host.findings.isEmpty { out += HTMLReport.findings(host.findings, evidence) }
        if !host.attacks.isEmpty { out += matrix }
        for block in evidence.blocks[index] { out += HTMLEvidence.section(block) }
        out += chains
        out += clients
        out += "<p class=\"facts\">\(facts)</p>\n"
        return out + "</section>\n"
    }

    /// The genuine server's, so that the next run's can be held against it.
    private var chains: HTMLText {
        let chains = genuine.chains(of: host)
        guard !chains.isEmpty else { return "" }
        var out: HTMLText =
            "<details class=\"chain\" open><summary>The genuine chain, its pins and when it runs out</summary>\n"
        for chain in chains {
            if !chain.isVerified { out += "<p class=\"missing\">It did not verify.</p>\n" }
            out += "<ol>\n"
            for certificate in chain.certificates {
                let name = certificate.subject.map { HTMLText.text($0) } ?? "SHA-256 <code>\(certificate.sha256)</code>"
                out += "<li>\(name)"
                if let expiry = certificate.notAfter { out += " <small>until \(expiry.prefix(10))</small>" }
                if let pin = certificate.pin { out += "<br><code>\(pin)</code>" }
                out += "</li>\n"
            }
            if let pin = chain.anchorPin {
                out += "<li>its trust anchor, which the server does not send<br><code>\(pin)</code></li>\n"
            }
            out += "</ol>\n"
        }
        let rest = genuine.count(of: host) - chains.count
        if rest > 0 { out += "<p class=\"quiet\">and \(English.count(rest, "more chain"))</p>\n" }
        return out + "</details>\n"
    }

    /// By which TLS stacks it was asked for, and what is known of those.
    private var clients: HTMLText {
        let stacks = stacks.stacks(of: host)
        guard !stacks.isEmpty else { return "" }
        let named: [HTMLText] = stacks.map {
            "\($0.title) <small>(JA4 <code>\($0.ja4)</code>, \(English.count($0.connections, "connection")))</small>"
        }
        var out: HTMLText = "<p class=\"facts\">By its ClientHellos: \(named.joined(separator: "; "))</p>\n"
        var told: Set<String> = []
        let traps = stacks.flatMap(\.traps).filter { told.insert($0).inserted }
        guard !traps.isEmpty else { return out }
        out += "<ul class=\"limits\">\n"
        for trap in traps { out += "<li>Known of it: \(trap)</li>\n" }
        return out + "</ul>\n"
    }

    private var facts: HTMLText {
        var facts: [HTMLText] = ["Expected: \(host.expect.rawValue)", host.required ? "required" : "optional"]
        if let rule = host.rule, rule != host.host { facts.append("rule <code>\(rule)</code>") }
        if host.rule == nil { facts.append("not named in the profile") }
        if host.coldStarts > 0 { facts.append("\(HTMLReport.coldStarts(host)) with a delivered refusal") }
        if let bound = host.printedBoundPercent { facts.append("acceptance at most \(bound) (95% bound)") }
        let standards = host.standards
        if !standards.isEmpty { facts.append("OWASP \(standards.all.joined(separator: ", "))") }
        return facts.joined(separator: " · ")
    }

    private var matrix: HTMLText {
        var out: HTMLText = """
            <div class="scroll" tabindex="0" role="region" aria-label="Outcomes of \(host.label)">
            <table class="matrix">
            <thead><tr><th scope="col">Attack</th><th scope="col" class="n">connections</th>
            """
        for outcome in Outcome.allCases { out += "<th scope=\"col\" class=\"n\">\(outcome.rawValue)</th>" }
        out +=
            "<th scope=\"col\" class=\"alerts\">alerts</th><th scope=\"col\">evidence lines</th></tr></thead>\n<tbody>\n"
        for tally in host.attacks { out += row(tally) }
        return out + "</tbody>\n</table>\n</div>\n"
    }

    private func row(_ tally: AttackTally) -> HTMLText {
        let about = tally.attack == .passthrough ? "untouched" : AttackCatalogue.attack(tally.attack)?.presents ?? ""
        var out: HTMLText = "<tr><th scope=\"row\"><code>\(tally.title)</code>"
        out += about.isEmpty ? "</th>" : " <small>\(about)</small></th>"
        out += "<td class=\"n\">\(tally.connections)</td>"
        if tally.attack == .passthrough {
            out += "<td class=\"quiet\" colspan=\"\(Outcome.allCases.count)\">\(tally.byteCounts)</td>"
        } else {
            for outcome in Outcome.allCases {
                let cell = tally.cell(outcome)
                let kind = outcome == .data && !cell.isEmpty ? (host.expect == .refuse ? " bad" : " good") : ""
                out += "<td class=\"n\(kind)\">\(cell)</td>"
            }
        }
        out += "<td>\(tally.alertList)</td><td>\(evidence.numbers(tally.evidence, limit: 40))</td></tr>\n"
        return out
    }
}
