import Facts
import Policy
import Verdict

extension FindingText {
    static func text(of fact: FindingFact.Proof) -> String {
        switch fact {
        case .signatureStage(let alert, let hasFinished):
            "under wrong-key it answered \(alert), as it does not under trusted-ca: "
                + (hasFinished
                    ? "in the handshake nothing was wrong with either chain, and the forged one was refused after it"
                    : "the genuine chain passed the certificate stage, the forged one did not")
        case .commonRefusal(let common): text(common)
        case .assumption(let assumption): text(assumption)
        case .otherExplanations(let rest): "beside a pin: " + text(rest) + doubts(rest)
        case .otherRunsOfNoUse(let reasons):
            "the other run is no control here: " + English.list(reasons.map(words).sorted())
        case .differentialNotRepeated:
            "it got further under trusted-ca than under untrusted-ca, but too few times to rest on: "
                + "--cold-starts 2 or more would make it a proof, and so would a control host"
        case .refusalUnexplained(let refusing):
            "it got further under trusted-ca than under untrusted-ca, so it seems to trust the CA; but why it "
                + "then refuses is not shown: "
                + (refusing.isEmpty
                    ? "a pin, or a policy for all certificates such as Certificate Transparency. A control host that takes "
                        + "the CA would tell, or the profile's word that there is no such policy (only_pins)"
                    : "\(some(refusing)), which nobody pins, refused it as well, so a policy for all certificates such as "
                        + "Certificate Transparency explains both")
        case .attacksTried(let scope): text(scope)
        }
    }

    private static func text(_ common: FindingFact.Common) -> String {
        let trusted = RefusalWords.text(common.trusted)
        return switch common.cause {
        case .untrustedCA:
            "trusted-ca and untrusted-ca were refused alike (\(trusted)), at \(some(common.controls)) too, "
                + "which nobody pins: most likely this app does not trust the CA (Android apps ignore the user "
                + "store by default). Before it does, nobody can see whether there is a pin"
        case .ruleForAll:
            "trusted-ca was refused (\(trusted)) otherwise than untrusted-ca "
                + "(\(RefusalWords.text(common.untrusted))), and at \(some(common.controls)) too, which nobody pins: the CA "
                + "may be known and a rule for all certificates may refuse it, as Certificate Transparency does where the "
                + "CA is in the system's store"
        }
    }

    private static func text(_ assumption: FindingFact.Assumption) -> String {
        switch assumption {
        case .sameAnchors:
            "S2a assumes that the build gives this host the same trust anchors as the control, and no other policy "
                + "for its domain alone (Certificate Transparency, revocation)"
        case .noOtherPolicy:
            "S2c assumes what the profile says (only_pins): that this build applies no policy besides pins once a "
                + "handshake is over"
        case .ownAnchorsAlone:
            "private-anchor assumes that the app trusts no roots for this host but those that the profile names: "
                + "where it trusts its platform's too, only the missing CA kept it from being intercepted"
        }
    }

    private static func text(_ rest: FindingFact.Explanations) -> String {
        let differences = rest.unlike.map { unlikeWords[$0] ?? $0 }
        let unlike =
            differences.isEmpty
            ? "" : " (ours differs from the genuine one in \(English.list(differences)), beside keys and issuer)"
        return switch rest.strength {
        case .s2a:
            "a rule for all certificates, such as Certificate Transparency, is excluded: "
                + "\(some(rest.takers)) took one of the same CA on the same stack; a rule for this host alone, or for "
                + "what its certificate alone says (a list of revoked ones, say), is not"
                + unlike
        case .s2b:
            "a rule that the other build has as well is excluded: it took a certificate of the same CA for this host; "
                + "a rule of this build alone is not" + unlike
        case .s2c:
            "that the CA is not trusted is excluded: in the handshake it was taken; a rule that is applied after "
                + "that, such as Certificate Transparency or revocation, is excluded by the profile's word alone"
                + unlike
        case .s3: "all but the key is excluded: a certificate of the same CA for this host with the lent key was taken"
        case .privateAnchor:
            "that the app trusts its own anchors alone is all there is to see, and what the profile says; a pin of a "
                + "key below them is not shown apart from that" + unlike
        }
    }

    private static func doubts(_ rest: FindingFact.Explanations) -> String {
        var doubts = ""
        if rest.deniesCA {
            doubts +=
                ". The app said that it does not know the CA (unknown_ca), though "
                + (rest.strength == .s2a ? "the control" : "the other build")
                + " took it: it trusts other CAs for this host. A pinned CA looks so, and so does a list of public CAs that "
                + "the app brings along, which is no pin. If the app has roots of its own for this host, name them under "
                + "anchors: the proof then rests on that list and not on a control"
        }
        if rest.leavesNameOpen {
            doubts +=
                ". What is pinned belongs to a CA, and from a public one anybody gets a certificate for a name of their own: "
                + "whether the app checks the name as well was not shown. Lend a chain of the same CA for another host "
                + "(same_ca_chain), better one with its key (other_host)"
        }
        return doubts
    }

    /// The evidence's short words as people say them; one that this version does not know stands as it is.
    private static let unlikeWords = [
        "chain-length": "the length of the list", "extensions": "its extensions", "key-size": "the size of a key",
        "key-type": "the type of a key", "must-staple": "the demand for a stapled OCSP answer",
        "plain-chain": "nearly all that the genuine chain says of itself", "root-name": "the root's name",
        "san": "its alternative names", "sct": "Certificate Transparency's timestamps",
        "signature": "a signature's algorithm", "staple": "the stapled OCSP answer", "subject": "its subject",
        "validity": "its dates",
    ]

    private static func words(_ reason: FindingFact.OtherRunOfNoUse) -> String {
        switch reason {
        case .noVerdict: "that run supports no verdict itself"
        case .noSameAnchors: "the profile does not say same_anchors: true"
        case .anotherCA: "it was made with another CA"
        case .noData: "it has no data to this host under trusted-ca"
        case .mayTakeAny: "it was not seen to refuse untrusted-ca here, so it may take any certificate"
        case .anotherStack: "its data came from another TLS stack"
        case .notEveryStack: "not every stack is in it"
        }
    }

    private static func text(_ scope: FindingFact.Scope) -> String {
        var text = "the verdict rests on \(joined(scope.met))"
        if !scope.missed.isEmpty { text += "; planned, but not met: \(joined(scope.missed))" }
        if !scope.leftOut.isEmpty {
            text += "; not to be signed by this CA: \(scope.leftOut.joined(separator: ", "))"
        }
        if !scope.formsLeft.isEmpty {
            text += "; further forms not tried: \(scope.formsLeft.joined(separator: ", "))"
        }
        if !scope.partial.isEmpty { text += "; of their forms, \(forms(scope.partial))" }
        if !scope.untried.isEmpty { text += "; not tried: \(joined(scope.untried))" }
        if let left = scope.connections {
            text += "; connections that were opened untouched and never attacked alone: "
            text += left.count == 1 ? "number \(left.lowerBound)" : "numbers \(left.lowerBound) to \(left.upperBound)"
        }
        return text
    }

    /// "trusted-ca 4 of 31, smuggled-chain 2 of 13".
    static func forms(_ partial: [FindingFact.Scope.Forms]) -> String {
        partial.map { "\($0.attack) \($0.met) of \($0.all)" }.joined(separator: ", ")
    }

    private static func joined(_ attacks: [AttackID]) -> String { attacks.map(\.rawValue).joined(separator: ", ") }
}
