import Facts
import Policy
import Verdict

extension HostVerdict {
    /// Why it has its verdict, in one sentence for a person: what was seen, so that it can be checked against the evidence.
    package var why: String {
        seen.isByHand && reason == .closedAsCommandEnded
            ? "under trusted-ca it was closed only as its phase was over: that tells nothing"
            : ReasonText.text(of: reason)
    }
}

/// How connections were refused, in words.
enum RefusalWords {
    static func text(_ way: RefusalWay) -> String {
        switch way {
        case .alert(let code): code.description
        case .unreadable: "an alert that only it could read"
        case .silent: "closed in the handshake without an alert"
        case .late: "closed after the handshake without a byte"
        }
    }

    static func text(_ ways: [RefusalWay]) -> String { ways.map(text).joined(separator: ", ") }
}

/// The words of verdicts.
enum ReasonText {
    static func text(of reason: Reason) -> String {
        switch reason {
        case .witness(let witness): text(witness)
        case .goneBeforeAnswer: "its clients were gone before they could be answered, untouched and attacked alike"
        case .metOnlyInInterrupted: "it met trusted-ca only in a trial that was interrupted"
        case .onlyResumed: "it only resumed older sessions under trusted-ca"
        case .closedAsCommandEnded:
            "under trusted-ca it was closed only as COMMAND was about to be ended: that tells nothing"
        case .neverUnderAttack: "it carried genuine traffic, but was never asked for under trusted-ca"
        case .closedBeforeChain: "every connection under trusted-ca was closed before the forged chain had arrived"
        case .proven(let refusals, let control): "\(text(refusals)), \(text(control))"
        case .untrustedCA(let ways, let hosts):
            "refused trusted-ca (\(RefusalWords.text(ways))), but so did \(FindingText.some(hosts)), which nobody pins, "
                + "and untrusted-ca is refused alike: most likely this app does not trust the CA"
        case .unproven(let refusals, let lacks):
            "\(text(refusals)), but \(lacks.map(text).joined(separator: ", and "))"
        case .accepted(let witness): text(witness)
        case .refused(let trials, let ways):
            "refused the CA in \(English.count(trials, "trial")) (\(RefusalWords.text(ways))), and works untouched"
        case .neverIntercepted: "it carried genuine traffic, but was never asked for while intercepted"
        case .onlyPreface: "only the HTTP/2 preface was sent: neither accepted nor refused"
        case .leftOpen: "connections were left open without a byte: neither accepted nor refused"
        case .resumed: "older sessions were resumed"
        case .closedAfterAnother: "it was closed only after another host had refused, or without a sign why"
        case .closedBeforeChainEachTime: "every connection was closed before the chain had arrived"
        case .unclear: "it refused in some trials, and in others nothing can be told"
        case .tunnelled(let connections): "carried data untouched on \(English.count(connections, "connection"))"
        case .intercepted: "it was intercepted, and is declared never to be"
        case .noDataUntouched: "it was asked for untouched, and no data came through"
        case .neverUsed: "it was connected to, and never used"
        case .notAskedFor: "no client asked for it"
        case .nothingMatches: "no client asked for a host that it matches"
        case .clientNeverSeen: "this client was never seen"
        case .environment(let fault): text(fault)
        case .withdrawn(let fault): fault
        case .noGenuineTraffic: "it carried no genuine traffic in passthrough, so a refusal says nothing"
        }
    }

    /// `sent 96 bytes (http/1 GET) under trusted-ca and cloned-identity/untrusted`.
    private static func text(_ witness: Reason.Witness) -> String {
        let forms = English.some(witness.forms)
        if witness.isPrefaceOnly { return "sent its HTTP/2 preface under \(forms) before it closed" }
        let shape = witness.shape.map { " (\($0))" } ?? ""
        let way = witness.carrier.map { ", over a connection that was opened to \($0.text)" } ?? ""
        return "sent \(English.count(witness.bytes, "byte"))\(shape) under \(forms)" + way
    }

    private static func text(_ refusals: Reason.Refusals) -> String {
        guard !refusals.ways.isEmpty else { return "sent nothing under trusted-ca" }
        return "refused trusted-ca in \(refusals.starts) of \(English.count(refusals.of, "cold start")) "
            + "(\(RefusalWords.text(refusals.ways)))"
    }

    private static func text(_ control: Reason.Control) -> String {
        switch control {
        case .hosts(let hosts): "while \(FindingText.some(hosts)) accepted the same CA on the same stack"
        case .otherBuild: "while another build with the same trust anchors accepted the same CA here"
        case .differential:
            "after a handshake that it finished under trusted-ca and never under untrusted-ca, so it trusts the CA"
        case .lentKey: "while it took a certificate of the same CA for the lent key, so the key made the difference"
        case .privateAnchor:
            "and under wrong-key took the genuine chain: by the profile's word it trusts no anchors but its own"
        }
    }

    /// Dates are a matter of the server or of a clock, names of the server or of where it was looked for: of no root.
    private static func remedy(for reason: String) -> String {
        if reason.contains("mismatch") {
            return
                "have its name put into the certificate; if not, `resolve` or DNS names another server, or somebody is "
                + "intercepting already"
        }
        guard !reason.contains("has expired"), !reason.contains("not yet valid") else {
            return "renew it at the server, or set this machine's clock, which may be wrong"
        }
        return "name its root under upstream.roots; if not, somebody is intercepting already"
    }

    private static func text(_ fault: EnvironmentFault) -> String {
        switch fault {
        case .foreignChain(let chain): ForeignChainWords.text(chain)
        case .noSharedParameters(let alerts):
            "client and proxy found no TLS parameters to share"
                + (alerts.isEmpty ? "" : " (\(alerts.joined(separator: ", ")))")
        case .notServed(let error): "the proxy could not serve it: \(error)"
        case .originUnusable(let reason, let hasUnverifiedChain):
            "the origin could not be used: \(reason ?? "its certificate does not verify")"
                + (hasUnverifiedChain ? " (if this is the genuine one, \(remedy(for: reason ?? "")))" : "")
        case .unreadable(let ways): "the client could not use what the proxy sent (\(RefusalWords.text(ways)))"
        case .brokenUntouched(let alert, _):
            "broken even untouched: it asked in passthrough, and no data came through"
                + (alert.map { " (it refused the genuine chain: \($0))" } ?? "")
        case .brokenAtFirst: "broken even untouched: no data came through in the first passthrough"
        case .brokenAtLast: "broken even untouched: no data came through in the last passthrough"
        }
    }

    private static func text(_ lack: Reason.Lack) -> String {
        switch lack {
        case .missing(let missing): text(missing)
        case .coldStarts(let starts, let asked):
            "only \(starts) of the \(asked) cold starts asked for showed a refusal that counts"
        case .connections(let count):
            "untouched it opens \(count) connections, and not each of them was attacked"
        case .unmet(let unmet): CircumstanceWords.text(unmet)
        case .unmetStack(let unmet): CircumstanceWords.text(unmet)
        case .closedAfterControls(let hosts):
            "it closed unused only after \(FindingText.some(hosts)) had refused or was not served, "
                + "and may have done so because of that"
        case .closedAfterOtherStack: "one TLS stack closed unused only after another one had been refused here"
        }
    }

    private static func text(_ missing: Missing) -> String {
        switch missing {
        case .trustControl: "nothing shows that it trusts the CA at this host"
        // With its numbers it is `Lack.coldStarts`; this is for who makes a reason without them.
        case .coldStarts: "too few of its cold starts showed a refusal that counts"
        case .passthroughBefore: "it carried no genuine traffic before the attacks"
        case .passthroughBetween: "it carried no genuine traffic in a passthrough between the attacks"
        case .passthroughAfter: "it carried no genuine traffic after the attacks"
        case .sameStackPassthrough: "a TLS stack that refused never carried genuine traffic: it may be an unused socket"
        case .idleConnections: "connections were left open without a byte, which is no refusal"
        case .consistentRefusal: "an RST without an alert, not in every cold start, may have been a crash"
        case .attack(AttackCatalogue.cleartextFallback): "it went on in plain HTTP while it was attacked"
        case .attack(let id): "\(id) was never seen refused by every TLS stack that carries its traffic"
        case .attackedAlone: "it closed unused only after another host had refused: it has to be attacked alone"
        case .hostIdentity:
            "neither SNI nor CONNECT name it on what was refused, or on data that went to its address"
        case .run: "the run did not come to its end"
        case .steadyStarts: "COMMAND comes to nothing under attack, and hardly ever untouched"
        case .releaseBuild: "the app that was named as tested can be debugged, and so is no release build"
        case .time: "the time allowed was too short for all that was to be tried"
        case .finding(let id): findings[id] ?? "there is the finding \(id)"
        }
    }

    private static let findings = [
        "session-cache-bypass": "it sent data on a resumed session, where no certificate is checked",
        NetworkFindings.quic: "QUIC went past the proxy, to it or to where nobody can tell",
        NetworkFindings.direct: "it was also reached directly, past the proxy",
        NetworkFindings.incomplete: "the network was not watched without gaps",
    ]
}
