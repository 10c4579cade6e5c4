import Facts
import Policy
import Verdict

extension FindingText {
    static func text(of fact: FindingFact.Run) -> String {
        switch fact {
        case .interrupted: "the run did not come to its end: what it saw counts as witness, never as proof"
        case .endedEarly(let early): CourseWords.text(early)
        case .leftOut(let names):
            "the time allowed was too short for \(CourseWords.named(names)): nothing here rests on them"
        case .unsteady(let seen):
            "COMMAND came to nothing in \(seen.attacked) of \(seen.ofAttacked) starts under attack, and in "
                + "\(seen.untouched) of \(seen.ofUntouched) untouched ones: that is no flakiness, but for a chance of one in a hundred"
        case .shard(let shard):
            "this is share \(shard.index) of \(shard.count) of a plan, and speaks for its own attacks alone: pinproof judge "
                + "joins the shares"
        case .shardsMissing(let shards, let plans) where plans > 1:
            "the runs are shares of \(plans) plans, with other attacks, cold starts or versions of pinproof, and some of "
                + "each are missing (\(CourseWords.named(shards.map(\.description)))): what they were to try was not tried"
        case .shardsMissing(let shards, _):
            "of one plan's shares \(CourseWords.named(shards.map(\.description))) "
                + "\(shards.count == 1 ? "is" : "are") not among the runs: what they were to try was not tried"
        case .retried(let trials): CourseWords.text(trials)
        case .stateNotCopied(let count, let why):
            "what the app left in PINPROOF_STATE could not be copied as it is in \(English.count(count, "start")), so that no start "
                + "went on from that: let COMMAND leave it readable to the gate, or remove what no start needs; \(why)"
        case .differentBuilds:
            "the runs are of different app files (--artefact): what one build refuses says nothing of another"
        case .differentCAs: "the runs used different CAs: a control of one says nothing about another"
        case .profileChanged: "the runs were made with another version of the profile than they are judged by"
        case .profileAsksForMore(let attacks, let coldStarts):
            "the profile asks for more than these runs have tried: "
                + [
                    attacks.isEmpty ? nil : English.some(attacks.map(\.rawValue)),
                    coldStarts.map { English.count($0, "cold start") },
                ]
                .compactMap(\.self).joined(separator: ", ") + "; run the gate again with it"
        case .runsMerged(let count): "\(count) runs were judged as one; evidence lines are numbered within each"
        case .otherFlows(let count):
            "\(English.count(count, "flow")) past the proxy named other hosts, or went to addresses of none "
                + "that has to refuse: no verdict rests on them"
        case .undeclared(let host): "\(host) was contacted, and the profile does not name it"
        case .undeclaredHosts(let group): text(group)
        case .tookAnyCertificate(let host):
            "\(host) was sent data under untrusted-ca, a CA that nobody installed: that client takes any "
                + "certificate, so anybody in the network can read it, and it shows no trust in ours"
        case .clientNotSeen(let client): "client \(client) was never seen: nothing came by what the profile tells it by"
        case .wrongCredentials(let count, let sources):
            "\(English.count(count, "connection")) showed proxy credentials that are no client's"
                + (sources.isEmpty ? "" : " (from \(some(sources)))")
        case .unattributed(let nobodys): text(nobodys)
        case .waiverExpired(let waiver):
            "the waiver of \(name(waiver)) held until \(waiver.until), and the finding still stands "
                + "(reason given: \(waiver.reason))"
        case .waiverUnused(let waiver, let isOver):
            "the waiver of \(name(waiver)), until \(waiver.until), waives nothing in this run"
                + (isOver ? ": remove it" : "")
        case .newFindings(let entries):
            "\(English.count(entries.count, "finding")) that the baseline does not know: "
                + entries.map { entry in entry.host.map { "\(entry.finding) at \($0)" } ?? entry.finding }
                .joined(separator: ", ")
        case .remark(let words): words
        }
    }

    private static func text(_ group: FindingFact.Undeclared) -> String {
        let kind = group.isOfDeclaredDomain ? "of a declared domain " : ""
        let many = group.count == 1 ? "1 host \(kind)carries" : "\(group.count) hosts \(kind)carry"
        let rest = group.count > group.named.count ? " and \(group.count - group.named.count) more" : ""
        return "\(many) data and the profile does not name \(group.count == 1 ? "it" : "them"): "
            + group.named.map(\.text).joined(separator: ", ") + rest
    }

    private static func text(_ nobodys: FindingFact.Nobodys) -> String {
        "\(English.count(nobodys.connections, "connection")) came from none of the clients, and count for nobody"
            + (nobodys.hosts.isEmpty ? "" : ": to \(some(nobodys.hosts))")
            + (nobodys.bare == 0
                ? ""
                : " (\(nobodys.bare) ended without the proxy credentials they were asked for; some clients show them only "
                    + "on the next connection)")
    }

    private static func name(_ waiver: Waiver) -> String {
        "\(waiver.finding)\(waiver.host.map { " at \($0)" } ?? "")"
    }
}

/// The words for flows that went past the proxy.
enum NetworkWords {
    static func text(_ flows: FindingFact.PastFlows) -> String {
        let what =
            switch flows.what {
            case .quic: "QUIC (UDP)"
            case .udp: "UDP where QUIC goes"
            case .tcp: "direct TCP"
            case .plainTCP: "direct TCP, in the clear"
            }
        let target =
            switch flows.target {
            case .named: "to this host, by the name that was sent"
            case .address: "to an address of this host; the name cannot be read"
            case .unknown(let endpoint): "to \(endpoint), which may be this host: its name cannot be read"
            }
        let when =
            flows.attacked == 0 ? "while nothing was attacked" : "\(flows.attacked) of them in trials that attack it"
        return "\(English.count(flows.count, "flow")) of \(what) went past the proxy \(target), \(when); whichever "
            + "program of this machine sent it, nobody saw what it carried, and under which certificate"
    }

    static func text(_ gaps: NetworkGaps) -> String {
        var words: [String] = []
        if gaps.dropped > 0 { words.append("\(English.count(gaps.dropped, "packet")) came too fast to be looked at") }
        if gaps.untracked > 0 { words.append("\(English.count(gaps.untracked, "flow")) were too many to follow") }
        if gaps.unwatched > 0 { words.append("\(English.count(gaps.unwatched, "trial")) went by unwatched") }
        return English.list(words + gaps.faults)
    }
}
