import Facts
import Policy
import Verdict

/// The second page of `report.html`, for whoever checks later.
///
/// It says what was done, what it rests on, and how to verify it.
struct HTMLAuditPage {
    let input: ReportInput

    var text: HTMLText {
        var out: HTMLText = "<section class=\"page audit\" aria-labelledby=\"audit\">\n"
        out += "<h2 id=\"audit\">For the auditor</h2>\n"
        out += "<h3>What was tested</h3>\n\(list(tested))"
        out += attacks
        out += "<h3>What a verdict rests on</h3>\n<ul class=\"limits\">\n"
        for line in grounds { out += "<li>\(HTMLText.prose(line))</li>\n" }
        out += "</ul>\n<h3>How to verify it</h3>\n<ul class=\"limits\">\n"
        for line in verification where !line.isEmpty { out += "<li>\(HTMLText.prose(line))</li>\n" }
        return out + "</ul>\n</section>\n"
    }

    private func list(_ facts: [(String, String)]) -> HTMLText {
        var out: HTMLText = "<dl>\n"
        for (name, text) in facts where !text.isEmpty { out += "<div><dt>\(name)</dt><dd>\(text)</dd></div>\n" }
        return out + "</dl>\n"
    }

    private var tested: [(String, String)] {
        let headers = input.runs.compactMap(\.header)
        let scope = input.ca.scope.isEmpty ? "for any name" : "for \(input.ca.scope.joined(separator: ", ")) alone"
        var facts = [("Profile", profile(headers))]
        facts += input.sortedLabels.map { ("Label \($0.key)", $0.value) }
        facts += input.artefacts.map { ("Artefact", $0.line) }
        facts += [
            ("Clients", input.judgement.clientLine ?? ""),
            ("When", "\(input.started), for \(Summary.duration(input.seconds))"),
            ("By which CA", "SHA-256 \(input.ca.sha256), which may sign \(scope)"),
            ("Self-test", selfTest),
            ("Cold starts", coldStarts(headers)),
            ("Ended by the gate", input.forcedEndLine ?? ""),
            ("Made by", tools(headers)),
        ]
        return facts
    }

    private func profile(_ headers: [RunHeader]) -> String {
        let sums = Set(headers.map(\.profileSHA256)).sorted()
        let file = input.source.map { ", \($0.path)" } ?? ""
        return input.profile + file + (sums.isEmpty ? "" : ", SHA-256 \(sums.joined(separator: ", "))")
    }

    private var selfTest: String {
        guard let test = input.selfTest else { return "not in the evidence" }
        let problems = test.problems.isEmpty ? "" : ": \(test.problems.joined(separator: "; "))"
        return test.passed
            ? "passed: this gate told a client with a pin from one without, before the run"
            : "failed\(problems)"
    }

    private func coldStarts(_ headers: [RunHeader]) -> String {
        // A share of a plan was asked for its part alone.
        let starts = headers.map { headers.count > 1 ? $0.planColdStarts ?? $0.coldStarts : $0.coldStarts }
        guard let asked = starts.max() else { return "" }
        var (trials, cold) = (0, 0)
        for run in input.runs {
            var begun: [Int: TrialStart] = [:]
            for case .trialStarted(let start) in run.records.lazy.map(\.record) { begun[start.trial] = start }
            let retried = Set(begun.values.compactMap(\.retryOf))
            for case .trialEnded(let end) in run.records.lazy.map(\.record) {
                trials += 1
                guard let start = begun[end.trial], !end.interrupted, !retried.contains(end.trial) else { continue }
                let isCold = start.attack == .trustedCA && start.variant == nil && start.sparedFirst == 0
                cold += isCold ? 1 : 0
            }
        }
        return "\(English.count(trials, "trial")) in all, \(cold) under trusted-ca, where \(asked) were asked for"
    }

    private func tools(_ headers: [RunHeader]) -> String {
        let tools = headers.first.map { ", the run by \($0.pinproof) with OpenSSL \($0.openssl)" } ?? ""
        return "pinproof \(input.pinproof)\(tools)"
    }

    /// By what was met, as in the hosts' claims: a plan says only what was meant to be tried.
    private var attacks: HTMLText {
        let refusing = input.judgement.hosts.filter { $0.expect == .refuse }
        let accepting = input.judgement.hosts.filter { $0.expect == .accept }
        // Where no host has to refuse, what the others are to take is all that there is to try.
        let met = Set(
            refusing.isEmpty
                ? accepting.flatMap(Claim.tried).filter { $0 == .trustedCA } : refusing.flatMap(Claim.tried))
        let tried = input.attacks.filter(met.contains)
        // What is taken under a lent key is a control, and no host has to refuse it.
        let unmet = input.attacks.filter {
            !refusing.isEmpty && !met.contains($0) && AttackCatalogue.reading(of: $0, nil).data != .control
        }
        let untried = AttackCatalogue.toBeRefused.filter { !input.attacks.contains($0) && !met.contains($0) }
        var out: HTMLText = "<h3>What was tried</h3>\n<dl class=\"attacks\">\n"
        for id in tried {
            let about = AttackCatalogue.attack(id)?.presents ?? "not known to this version"
            out += "<div><dt><code>\(id.rawValue)</code></dt><dd>\(about)</dd></div>\n"
        }
        out += "</dl>\n"
        if !unmet.isEmpty {
            out +=
                "<p class=\"quiet\">Begun, and answered by no host that has to refuse: "
            out += "\(unmet.map(\.rawValue).joined(separator: ", ")).</p>\n"
        }
        if !untried.isEmpty {
            out += "<p class=\"quiet\">Not tried in this run: \(untried.map(\.rawValue).joined(separator: ", ")).</p>\n"
        }
        return out
    }

    private var grounds: [String] {
        var lines = [
            "Not pinned, refused: a fact. The app was seen to send data under a forged chain, or to refuse a chain that it "
                + "has to take; one connection is enough, and its line of evidence is named.",
            "Proven pinned: in each cold start the app refused a chain of the CA, made as near to the genuine one as could be; it "
                + "refused every other attack that was tried; untouched, before and after, it talked to the genuine host; and "
                + "something else than these refusals shows that the app trusts the CA, or the profile says that it trusts "
                + "roots of its own alone. How far that reaches is said by the host's "
                + "strength, which assumes what is said below, and by its note other-explanations.",
        ]
        let strengths = input.judgement.hosts.filter { $0.standing == .met }.map(\.strength)
        for strength in [Strength.s3, .s2a, .s2b, .s2c, .privateAnchor] where strengths.contains(strength) {
            if let assumption = Claim.assumption(strength) { lines.append(assumption) }
        }
        lines.append(
            "No report claims anything about other builds, journeys, devices or versions of the OS, nor that hooking or "
                + "instrumentation is resisted. Each host's own limits stand with its claim.")
        return lines
    }

    private var verification: [String] {
        let folders = input.runFolders.isEmpty ? ["RUN"] : input.runFolders
        let lines = input.runs.map(\.records.count).reduce(0, +)
        return [
            "`pinproof judge \(folders.map(Self.plain).joined(separator: " "))` comes to these verdicts again, on any "
                + "machine, from the evidence alone (`evidence.jsonl`, \(English.count(lines, "line"))).",
            "Each line carries the SHA-256 of the line before: none can be changed, taken out or put in without breaking "
                + "every line after it, and `judge` checks that. Who wrote the file it does not show: keep it where only CI writes.",
            heads,
            "`presented/` holds every chain that was shown to the app, `client/` what the app's test printed, "
                + "`profile.yaml` the profile as it was used.",
        ]
    }

    /// What ties this page to one file, and to no other.
    private var heads: String {
        guard !input.heads.isEmpty else { return "" }
        return "The evidence ends with the line whose SHA-256 is `\(input.heads.joined(separator: "`, `"))` "
            + "(`tail -n 1 evidence.jsonl | tr -d '\\n' | sha256sum`): a file with another end is not what this was made from."
    }

    /// Backquotes mark code in our sentences, and a folder's name could hold one.
    private static func plain(_ folder: String) -> String { folder.filter { $0 != "`" } }
}
