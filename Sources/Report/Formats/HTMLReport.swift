import Facts
import Policy
import Verdict

/// `report.html`: one file for reading and archiving, with no scripts and nothing loaded.
package enum HTMLReport {
    package static func text(_ input: ReportInput) -> String { document(input).source }

    private static func document(_ input: ReportInput) -> HTMLText {
        let judgement = input.judgement
        let hosts = Summary.shown(judgement)
        let evidence = HTMLEvidence(input, hosts)
        let (genuine, stacks) = (GenuineChains(input), SeenStacks(input))
        var out = head(title: "\(judgement.result.rawValue) – \(input.profile) – pinproof")
        out += banner(input)
        out += "<main>\n"
        out += HTMLReleasePage(input: input).text
        out += HTMLAuditPage(input: input).text
        if let comparison = input.comparison { out += HTMLComparison.section(comparison) }
        if !hosts.isEmpty { out += verdicts(hosts) }
        out += advice(judgement)
        if !judgement.findings.isEmpty {
            out += "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n"
            out += findings(judgement.findings, evidence)
            if let block = evidence.rest { out += HTMLEvidence.section(block) }
            out += "</section>\n"
        }
        if !hosts.isEmpty {
            out += "<h2>Hosts</h2>\n"
            for (index, host) in hosts.enumerated() {
                out +=
                    HTMLHostSection(host: host, index: index, evidence: evidence, genuine: genuine, stacks: stacks).text
            }
            out += legend
        }
        out += about(input)
        return out + "</main>\n</body>\n</html>\n"
    }

    private static func head(title: String) -> HTMLText {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title)</title>
        <style>
        \(HTMLStyle.css + HTMLStyle.pages)
        </style>
        </head>
        <body>

        """
    }

    private static func banner(_ input: ReportInput) -> HTMLText {
        let judgement = input.judgement
        let reason = Summary.reason(judgement)
        return """
            <header class="banner \(judgement.result.rawValue)">
            <p class="product">pinproof <span>release gate</span></p>
            <h1><strong>\(judgement.result.rawValue)</strong> \
            <span>\(reason.prefix(1).uppercased() + reason.dropFirst())</span></h1>
            <dl>
            <div><dt>Profile</dt><dd>\(input.profile)</dd></div>
            <div><dt>Exit status</dt><dd>\(judgement.result.exitStatus)</dd></div>
            <div><dt>Started</dt><dd>\(input.started)</dd></div>
            <div><dt>Took</dt><dd>\(Summary.duration(input.seconds))</dd></div>
            <div><dt>Self-test</dt><dd>\(input.selfTestPassed ? "passed" : "not passed")</dd></div>
            </dl>
            </header>

            """
    }

    private static func verdicts(_ hosts: [HostVerdict]) -> HTMLText {
        var out: HTMLText = """
            <section aria-labelledby="verdicts">
            <h2 id="verdicts">Verdicts</h2>
            <table class="verdicts" role="table">
            <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Verdict</th>\
            <th role="columnheader" scope="col">Host</th><th role="columnheader" scope="col">Expected</th>\
            <th role="columnheader" scope="col">Why, and what is missing</th></tr></thead>
            <tbody role="rowgroup">

            """
        for (index, host) in hosts.enumerated() {
            out += "<tr role=\"row\"><td role=\"cell\">\(badge(host))</td>"
            out += "<th role=\"rowheader\" scope=\"row\"><a href=\"#host-\(index)\">\(breakable(host.host))</a>"
            out += host.client.map { HTMLText("<br><small>\($0)</small></th>") } ?? "</th>"
            out += "<td role=\"cell\"><span class=\"label\">expected: </span>\(host.expect.rawValue)"
            out += "\(host.required ? "" : HTMLText(" <small>optional</small>"))</td>"
            out += "<td role=\"cell\">\(host.why)"
            if let bound = host.printedBoundPercent, host.standing == .met {
                out += "<p><small>\(coldStarts(host)): accepts in at most \(bound) (95% bound)</small></p>"
            }
            if !host.missing.isEmpty { out += missing(host) }
            out += "</td></tr>\n"
        }
        return out + "</tbody>\n</table>\n</section>\n"
    }

    private static func advice(_ judgement: Judgement) -> HTMLText {
        let entries = Advice.entries(for: judgement)
        guard !entries.isEmpty else { return "" }
        var out: HTMLText =
            "<section aria-labelledby=\"next\">\n<h2 id=\"next\">What to do next</h2>\n<ul class=\"steps\">\n"
        for entry in entries {
            let hosts = entry.hosts.map { breakable($0) }.joined(separator: ", ")
            out += "<li><p><code class=\"topic\">\(entry.topic)</code> <small>\(hosts)</small></p>"
            for seen in entry.seen { out += "<p><small>\(breakable(seen))</small></p>" }
            out += "<p>\(HTMLText.prose(entry.text))</p></li>\n"
        }
        return out + "</ul>\n</section>\n"
    }

    private static let legend: HTMLText = {
        var out: HTMLText =
            "<section aria-labelledby=\"outcomes\">\n<h2 id=\"outcomes\">How a connection can end</h2>\n<dl class=\"legend\">\n"
        for outcome in Outcome.allCases {
            out += "<div><dt>\(outcome.rawValue)</dt><dd>\(outcome.meaning)</dd></div>\n"
        }
        return out + "</dl>\n</section>\n"
    }()

    private static func about(_ input: ReportInput) -> HTMLText {
        let untouched = "none: it may sign for any name"
        let scope = input.ca.scope.isEmpty ? untouched : input.ca.scope.joined(separator: ", ")
        var facts: [(String, String)] = [
            ("Clients", input.judgement.clientLine ?? ""),
            ("Attacks in this run", input.attacks.map(\.rawValue).joined(separator: ", ")),
            ("Forging CA, SHA-256", input.ca.sha256), ("Its name constraints", scope),
        ]
        if let problems = input.selfTest?.problems, !problems.isEmpty {
            facts.append(("Self-test", problems.joined(separator: "; ")))
        }
        facts += input.runFolders.map { ("Run folder", $0) }
        facts.append(("Made by", "pinproof \(input.pinproof)"))
        var out: HTMLText = "<footer aria-labelledby=\"about\">\n<h2 id=\"about\">About this run</h2>\n<dl>\n"
        for (name, text) in facts where !text.isEmpty {
            out += "<div><dt>\(name)</dt><dd>\(text)</dd></div>\n"
        }
        return out + "</dl>\n</footer>\n"
    }

    // MARK: pieces shared with the host sections

    static func badge(_ host: HostVerdict) -> HTMLText {
        let detail = (host.strength?.rawValue ?? host.subtype?.rawValue).map { HTMLText(" <small>\($0)</small>") } ?? ""
        return "<span class=\"badge \(host.standing.cssClass)\">"
            + "<span aria-hidden=\"true\">\(host.standing.glyph)</span> \(host.verdict.rawValue)</span>\(detail)"
    }

    static func missing(_ host: HostVerdict) -> HTMLText {
        let names = host.missing.map { HTMLText("<code>\($0.name)</code>") }.joined(separator: " ")
        return "<p class=\"missing\">Missing: \(names)</p>\n"
    }

    static func findings(_ findings: [Finding], _ evidence: HTMLEvidence) -> HTMLText {
        var out: HTMLText = "<ul class=\"findings\">\n"
        for finding in Summary.worstFirst(findings) {
            let kind = finding.waived == nil ? finding.severity.rawValue : "waived"
            out += "<li class=\"\(kind)\"><strong>\(finding.severity.rawValue)</strong> "
            out += .text(finding.text)
            if let mark = finding.mark { out += " <em>\(mark)</em>" }
            if !finding.evidence.isEmpty { out += " <small>evidence \(evidence.numbers(finding.evidence))</small>" }
            if let lookup = finding.lookup { out += " <small>\(lookup)</small>" }
            out += " <code>\(finding.id)</code></li>\n"
        }
        return out + "</ul>\n"
    }

    static func coldStarts(_ host: HostVerdict) -> String {
        English.count(host.coldStarts, "cold start")
    }

    /// A host name that may be broken before its dots.
    static func breakable(_ host: String) -> HTMLText {
        host.split(separator: ".", omittingEmptySubsequences: false).map { HTMLText.text($0) }.joined(
            separator: "<wbr>.")
    }
}

extension Standing {
    var cssClass: String {
        switch self {
        case .met: "good"
        case .contradicted, .invalid: "bad"
        case .unproven: "open"
        }
    }

    fileprivate var glyph: String {
        switch self {
        case .met: "✓"
        case .contradicted: "✗"
        case .invalid: "!"
        case .unproven: "?"
        }
    }
}

extension Outcome {
    fileprivate var meaning: String {
        switch self {
        case .data: "The client sent application bytes under the forged chain: it accepted."
        case .alert: "A fatal alert after our flight: a refusal."
        case .silent: "Closed before its Finished without an alert: a refusal if the client does so every time."
        case .post: "Finished, then closed without a byte: a refusal, or a socket that was never used."
        case .idle: "Finished, then left open without a byte: neither."
        case .early: "Closed before our flight had arrived: no evidence."
        case .negotiation: "No common parameters: a fault of the environment."
        case .resumed: "A resumed session shows no certificate: no evidence."
        }
    }
}
