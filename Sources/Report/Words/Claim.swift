import Facts
import Policy
import Verdict

/// What a proof says in words, and what it leaves open (docs/verdicts.md, "Limits").
struct Claim {
    let text: String
    /// One sentence each.
    let limits: [String]

    /// nil unless the host is proven pinned.
    init?(_ host: HostVerdict) {
        guard host.verdict == .provenPinned, host.expect == .refuse else { return nil }
        let tried = Self.tried(host)
        let names = tried.map(\.rawValue).joined(separator: ", ")
        let starts = English.count(host.coldStarts, "cold start")
        var text = "This build, in this journey, on this device and OS, sent no application byte to \(host.host)"
        text += " under any attack tried (\(names)), \(Self.premise(host.strength))"
        text += " and talked to the genuine host."
        if let percent = host.printedBoundPercent {
            text +=
                " \(starts), every one refused: with 95% confidence it accepts in at most \(percent) of cold starts."
        }
        self.text = text

        // What was seen past the proxy stands in the way of a proof, unless a waiver bears it.
        let isPassed = host.findings.contains { $0.id == NetworkFindings.direct || $0.id == NetworkFindings.quic }
        let isWatched = isPassed || host.findings.contains { $0.id == "network-watched" }
        var limits = [
            "It does not claim resistance to hooking or instrumentation, nor anything about other journeys, other "
                + "builds, other versions of the OS" + (isWatched && !isPassed ? "." : ", or QUIC.")
        ]
        limits.append(
            isPassed
                ? "What was seen to go past the proxy is waived, and was not examined."
                : isWatched
                    ? "QUIC and direct connections were looked for on the machine that ran the gate, and nowhere else."
                    : "What does not come through the proxy was not watched (--watch-network does).")
        if let assumption = Self.assumption(host.strength) { limits.append(assumption) }
        limits += Self.leftOpen(host.findings)
        let untried = AttackCatalogue.toBeRefused.filter { !tried.contains($0) }
        if !untried.isEmpty {
            limits.append("Not tried: \(untried.map(\.rawValue).joined(separator: ", ")).")
        }
        limits.append(
            "Nor was the clock moved past a pin's expiration, or a fallback looked for once "
                + (host.seen.isByHand ? "a phase was over." : "COMMAND had ended."))
        limits.append(
            "What the app keeps \(host.seen.isByHand ? "" : "outside of PINPROOF_STATE ")may have gone from start to start, and what a server, an account or "
                + "the absence of a proxy decides is not seen.")
        self.limits = limits
    }

    /// What the findings leave open of the pin itself.
    private static func leftOpen(_ findings: [Finding]) -> [String] {
        var limits: [String] = []
        for finding in findings {
            switch finding.fact {
            case .leak(.pinFitsOtherHost):
                limits.append(
                    "The pin is a CA's and took another host's certificate: the proof holds only if the app checks "
                        + "the name.")
            case .proof(.attacksTried(let scope)) where !scope.partial.isEmpty:
                limits.append(
                    "Forms tried, where an attack has more: \(FindingText.forms(scope.partial)) (--attacks all tries each)."
                )
            case .proof(.otherExplanations(let rest)):
                if rest.deniesCA {
                    limits.append(
                        "The app trusts other CAs for this host than for the control, which need be no pin "
                            + "(other-explanations).")
                }
                if rest.leavesNameOpen {
                    limits.append(
                        "What is pinned belongs to a CA: that the app checks the name of what this CA signed was not "
                            + "shown.")
                }
            default: continue
            }
        }
        return limits
    }

    /// Attacks that the client has answered at least once: by what it made of their chain, or as a safe client ends where
    /// there is none to judge.
    static func tried(_ host: HostVerdict) -> [AttackID] {
        return host.attacks.filter { tally in
            // One more whole handshake is no resumption, and a request that nobody was sent on for no redirect.
            let occasion = AttackCatalogue.attack(tally.attack)?.reading.occasion
            let telling: [Outcome] =
                occasion == .resumption || occasion == .redirect ? [.data] : [.data, .alert, .silent, .post, .idle]
            return tally.attack != .passthrough && tally.attack != Attack.lentKey.id
                && (host.met.contains(tally.attack) || telling.contains { tally.outcomes[$0, default: 0] > 0 })
        }.map(\.attack)
    }

    /// Continues "… tried (names), ".
    private static func premise(_ strength: Strength?) -> String {
        switch strength {
        case .s3:
            "while it trusted our CA (under it, a chain for a pinned key that was lent carried data: S3)"
        case .s2a:
            "while it trusted our CA (in the same runs a control host on the same TLS stack carried data under it: S2a)"
        case .s2b:
            "while it trusted our CA (a build with the same trust anchors sent data to this host under it: S2b)"
        case .s2c:
            "while it trusted our CA (it got further under it than under an unknown one, each time, and by the profile's "
                + "word nothing but a pin refuses after that: S2c)"
        case .privateAnchor:
            "as it trusts private anchors alone by the profile's word (elsewhere in the same run our CA works: private-anchor)"
        case nil: "while it trusted our CA"
        }
    }

    /// What a control takes for granted.
    static func assumption(_ strength: Strength?) -> String? {
        switch strength {
        case .s2a:
            "S2a assumes that the build gives the host the same trust anchors as the control, and no other policy for it alone."
        case .s2b: "S2b assumes what the profile states (`same_anchors`): that both builds have the same trust anchors."
        case .s2c:
            "S2c assumes what the profile states (`only_pins`): that this build applies no policy besides pins once a "
                + "handshake is over."
        case .privateAnchor:
            "private-anchor assumes what the profile states (`anchors`): that the app trusts no other roots for the host."
        case .s3:
            "S3 assumes that no rule but a pin treats the lent key and ours differently."
        case nil: nil
        }
    }
}
