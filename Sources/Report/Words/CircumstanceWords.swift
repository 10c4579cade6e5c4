import Facts
import Verdict

/// What was seen around a gap, a line each, so that advice need not guess at it.
enum CircumstanceWords {
    /// Of controls named in one piece of advice; a pattern may stand for many.
    private static let controlsNamed = 6

    static func controls(_ host: HostVerdict) -> [String] {
        let sights = host.seen.controls
        let lines = sights.prefix(controlsNamed).map { line($0, host.host) }
        let rest = sights.count - lines.count
        return lines + (rest > 0 ? ["and \(rest) more"] : [])
    }

    static func contacts(_ host: HostVerdict) -> [String] {
        host.seen.contacts.map {
            [
                "\(host.host) was contacted in \($0.starts) of \($0.of) starts in which nothing is known to have kept the app from it"
            ]
        } ?? []
    }

    static func unmet(_ host: HostVerdict) -> [String] {
        (host.seen.unmet.map { [text($0)] } ?? []) + (host.seen.unmetStack.map { [text($0)] } ?? [])
    }

    /// `connection number 2 was used in 1 of 4 untouched runs, and did not come in 6 runs that were to attack it`.
    static func text(_ unmet: UnmetConnection) -> String {
        "connection number \(unmet.place) was used in \(unmet.used) of \(English.count(unmet.of, "untouched run"))"
            + absence(unmet.tried)
    }

    /// `a TLS stack that comes only after another one's data came in 1 of 4 untouched runs, and did not come in …`.
    static func text(_ unmet: UnmetStack) -> String {
        "a TLS stack that comes only after another one's data came in \(unmet.used) of "
            + English.count(unmet.of, "untouched run") + absence(unmet.tried)
    }

    private static func absence(_ tried: Int) -> String {
        ", and did not come in \(English.count(tried, "run")) that \(tried == 1 ? "was" : "were") to attack it"
    }

    private static func line(_ sight: ControlSight, _ host: String) -> String {
        let name = sight.control
        switch sight.fate {
        case .neverContacted: return "\(name) was never contacted"
        case .onlyUntouched: return "\(name) was contacted in untouched runs only, where it is shown no CA"
        case .withoutTLS: return "\(name) was asked for without TLS only"
        case .refused(let alert): return "\(name) refused the CA (\(alert ?? "closed without an alert"))"
        case .originUnverified: return "\(name)'s origin could not be used: its certificate does not verify"
        case .originAsksForCertificate: return "\(name)'s origin could not be used: it asks for a client certificate"
        case .unusable(let reason): return "\(name)'s origin could not be used: \(reason)"
        case .undecided: return "\(name) was contacted, and neither took the CA nor refused it"
        case .onOtherStack: return "\(name) took the CA, but on another TLS stack than \(host)'s"
        case .otherAnchors: return "\(name) took the CA, but the profile says that \(host) has anchors of its own"
        case .tookAnyCA:
            return "\(name) took a CA that nobody installed as well: whatever it takes, it shows trust in nothing"
        case .notProbed:
            return "\(name) took the CA, but was not seen to refuse one that nobody installed (untrusted-ca)"
        case .answered(let status): return "\(name) answered \(status)"
        case .unanswered: return "\(name) took the CA, and was not answered"
        case .took(let starts, let of):
            return starts < of ? "\(name) took the CA in \(starts) of \(of) cold starts" : "\(name) took the CA"
        }
    }
}
