import Facts
import Policy
import Verdict

/// The first page of `report.html`, for whoever decides: what came out, and what to do.
struct HTMLReleasePage {
    let input: ReportInput

    /// More hosts, or more to do, do not fit the page; the rest is below.
    private static let hostLimit = 12
    private static let stepLimit = 6
    /// Days before the end of a certificate from which on it is worth a word: renewals take weeks where pins change.
    private static let expiryDays = 30

    var text: HTMLText {
        let judgement = input.judgement
        var out: HTMLText = "<section class=\"page\" aria-labelledby=\"release\">\n"
        out += "<h2 id=\"release\">For the release manager</h2>\n"
        out += "<p class=\"lead\">\(Self.decision(judgement))</p>\n"
        out += "<p>\(Self.authority(judgement))</p>\n"
        out += build
        out += hosts(Summary.worstFirst(judgement.hosts))
        out += steps(Advice.entries(for: judgement))
        out += expiries
        return out + "</section>\n"
    }

    /// What to do with the build, in a sentence.
    static func decision(_ judgement: Judgement) -> String {
        switch judgement.result {
        case .pass:
            "As far as this gate goes, the build may ship: every \(open(judgement).isEmpty ? "" : "required ")expectation of "
                + "the profile is proven."
        case .fail:
            "Do not ship this build: at least one host did the opposite of what the profile expects, and that is a fact."
        case .inconclusive:
            "Do not ship this build on the strength of this report: nothing failed, and something that has to be proven is not."
        case .invalid:
            "This report says nothing about the build, neither good nor bad: the environment supports no verdict."
        }
    }

    /// Who may do otherwise.
    static func authority(_ judgement: Judgement) -> String {
        switch judgement.result {
        case .pass:
            "Whoever releases may do so; nobody else has to be asked because of pinning."
                + (open(judgement).isEmpty ? "" : " Of \(optional(open(judgement))) nothing is proven.")
        case .fail:
            "Nobody may ship it as it is. If the owner of the app's security means to bear a finding, that is stated in "
                + "the profile, with a date and a reason (waivers), and the gate is run again; a host that took a forged chain "
                + "cannot be waived."
        case .inconclusive:
            "Run the gate again after the steps below. Only who answers for the app's security may release before that, "
                + "in the knowledge that nobody knows."
        case .invalid: "Have the environment repaired and the gate run again; nobody can decide on this."
        }
    }

    /// Hosts that a pass does not wait for, and of which it says nothing.
    private static func open(_ judgement: Judgement) -> [String] {
        judgement.hosts.filter { $0.rule != nil && !$0.required && $0.standing != .met }.map(\.label)
    }

    private static func optional(_ hosts: [String]) -> String {
        "\(English.count(hosts.count, "optional host")) (\(English.some(hosts)))"
    }

    private var build: HTMLText {
        guard !input.labels.isEmpty || !input.artefacts.isEmpty else {
            return
                "<p class=\"quiet\">Which build this was is not said (<code>--label</code>, <code>--artefact</code>).</p>\n"
        }
        let labels = input.sortedLabels.map { HTMLText("\($0.key) <strong>\($0.value)</strong>") }
        let files = input.artefacts.map { HTMLText("<code>\($0.file)</code>") }
        return "<p>The build: \((labels + files).joined(separator: ", "))</p>\n"
    }

    private func hosts(_ hosts: [HostVerdict]) -> HTMLText {
        guard !hosts.isEmpty else { return "" }
        var out: HTMLText = "<ul class=\"hosts\">\n"
        for (index, host) in hosts.prefix(Self.hostLimit).enumerated() {
            out += "<li>\(HTMLReport.badge(host)) <a href=\"#host-\(index)\">\(HTMLReport.breakable(host.label))</a> "
            out += "<span>\(Self.meaning(host))</span></li>\n"
        }
        let rest = hosts.count - Self.hostLimit
        if rest > 0 { out += "<li class=\"quiet\">and <a href=\"#verdicts\">\(rest) more</a></li>\n" }
        return out + "</ul>\n"
    }

    /// A verdict without its words of art.
    static func meaning(_ host: HostVerdict) -> String {
        switch host.verdict {
        case .provenPinned: proof(host)
        case .notPinned: "talked to a man in the middle"
        case .refusedUnproven: "refused, but it is not shown that a pin was the reason"
        case .accepted: "works under interception, as it is expected to"
        case .refused: "refused where it has to work"
        case .tunnelled: "was left alone, as it is meant to be"
        case .notExercised: "the app was not seen to talk to it as a verdict needs"
        case .invalidEnvironment: "cannot be judged here"
        }
    }

    /// How much was tried, what vouches for trust in the CA, and what else may have refused.
    private static func proof(_ host: HostVerdict) -> String {
        let tried = English.count(Claim.tried(host).count, "attack")
        let bound = host.printedBoundPercent.map { ": it accepts in at most \($0) of starts, 95% bound" } ?? ""
        let starts = English.count(host.coldStarts, "cold start") + bound
        let trust =
            switch host.strength {
            case .s2a: "a control on the same stack took the CA"
            case .s2b: "another build with the same roots took the CA here"
            case .s2c: "it got further under the CA than under an unknown one"
            case .s3: "it took a lent key of the same CA here"
            case .privateAnchor: "by the profile's word it trusts roots of its own alone"
            case nil: "it trusts the CA"
            }
        let doubts = host.findings.compactMap { finding -> FindingFact.Explanations? in
            if case .proof(.otherExplanations(let rest)) = finding.fact { rest } else { nil }
        }
        return "refused each forged certificate that was tried (\(tried), \(starts)), where \(trust)"
            + (doubts.contains(where: \.deniesCA)
                ? ". Caution: it trusts other CAs here than the \(host.strength == .s2b ? "other build" : "control") does, which may be a list of its own, and no pin"
                : "")
            + (doubts.contains(where: \.leavesNameOpen) ? ". Caution: that it checks the name was not shown" : "")
    }

    private func steps(_ entries: [Advice]) -> HTMLText {
        guard !entries.isEmpty else { return "" }
        var out: HTMLText = "<h3>What to do</h3>\n<ol class=\"todo\">\n"
        for entry in entries.prefix(Self.stepLimit) {
            let hosts = HTMLReport.breakable(English.some(entry.hosts))
            out += "<li>\(HTMLText.prose(entry.text)) <small>\(hosts)</small></li>\n"
        }
        let rest = entries.count - Self.stepLimit
        if rest > 0 { out += "<li class=\"quiet\">and <a href=\"#next\">\(rest) more</a></li>\n" }
        return out + "</ol>\n"
    }

    /// Certificates of genuine servers that run out soon: what is pinned has to be valid until the next release.
    private var expiries: HTMLText {
        let genuine = GenuineChains(input)
        var ends: [(day: String, days: Int, hosts: [String])] = []
        for host in input.judgement.hosts {
            for chain in genuine.chains(of: host) {
                guard let days = chain.daysLeft(at: input.started), days < Self.expiryDays,
                    let day = chain.expiry.map({ String($0.prefix(10)) })
                else { continue }
                if let index = ends.firstIndex(where: { $0.day == day }) {
                    if !ends[index].hosts.contains(host.host) { ends[index].hosts.append(host.host) }
                } else {
                    ends.append((day, days, [host.host]))
                }
            }
        }
        guard !ends.isEmpty else { return "" }
        let lines = ends.sorted { $0.day < $1.day }.map { end -> HTMLText in
            let when = end.days < 0 ? "ran out on" : "in \(English.count(end.days, "day")), on"
            return "<li>\(when) \(end.day): the chain of \(HTMLReport.breakable(English.some(end.hosts)))</li>\n"
        }
        return
            "<h3>Certificates that run out</h3>\n<ul class=\"todo\">\n\(lines.prefix(Self.stepLimit).joined())</ul>\n"
    }
}
