import Facts
import Policy
import Verdict

extension CheckText {
    /// Something that keeps the gate from a proof.
    struct Problem: Hashable {
        var text: String
        /// Nothing can be judged before it is mended.
        var isEnvironment = false
    }

    var problems: [Problem] {
        if isInterrupted { return [Problem(text: "The check was interrupted: run it again.")] }
        guard look.connections > 0 else {
            if look.early?.reason == .commandNotRun { return [Problem(text: FindingAdvice.cause("command-not-run"))] }
            let texts = [
                EarlyAdvice.said(look.ends.last).map { "\($0)." }, EarlyAdvice.silence(look.ends.last),
                FindingAdvice.cause("nothing-crossed"),
            ]
            return [Problem(text: texts.compactMap(\.self).joined(separator: " "))]
        }
        return look.hosts.flatMap(problems) + unmatched + slips + trust
    }

    /// Required rules with a wildcard that nothing fits which was asked for.
    private var unmatched: [Problem] {
        guard look.early == nil || look.early?.reason == .notVisited else { return [] }
        let seen = look.hosts.filter { $0.untouched != .notAskedFor }.map(\.name)
        return look.unmatched(in: profile).map { rule in
            Problem(
                text:
                    "No host that \(rule.pattern) matches is asked for (\(CourseWords.named(seen.map(\.text))) is what was): "
                    + "correct the pattern, or let COMMAND's journey contact one.")
        }
    }

    private func problems(_ host: FirstLook.Host) -> [Problem] {
        guard host.isRequired, host.role != .tunnel else { return [] }
        let name = host.name.text
        switch host.untouched {
        case .notAskedFor:
            // Of a slip both names are told.
            guard look.early?.reason != .nameSlip || look.early?.hosts.contains(host.name) == false else { return [] }
            return [Problem(text: "\(name) is not asked for: let COMMAND's journey contact it.")]
        case .failed(let reason):
            return [Problem(text: "\(name) does not work even untouched\(Self.cause(reason))", isEnvironment: true)]
        case .clear: return [Problem(text: "\(name) is asked for without TLS: there is nothing to pin.")]
        case .data: break
        }
        if case .notServed(let reason) = host.forged {
            return [
                Problem(
                    text:
                        "\(name) cannot be forged: \(reason). A server of your own CA needs its root under `upstream.roots`.",
                    isEnvironment: true)
            ]
        }
        if host.hasPin == false {
            return [
                Problem(
                    text:
                        "\(name): none of the profile's pins is in its genuine chain. The pins are old, or somebody else is "
                        + "in the middle already.", isEnvironment: true)
            ]
        }
        return []
    }

    private static func cause(_ reason: String?) -> String {
        guard let reason else { return ", though its server answers: client/1-passthrough.err may say why." }
        guard reason.hasPrefix(FirstLook.refusedGenuine) else {
            return " (\(reason)). Repair that, or say under `resolve` where the name leads."
        }
        return ". " + EarlyAdvice.refusedGenuine(by: String(reason.dropFirst(FirstLook.refusedGenuine.count)))
    }

    private var slips: [Problem] {
        guard let early = look.early, early.reason == .nameSlip else { return [] }
        return zip(early.hosts, early.instead).map {
            Problem(text: "\($0.text) is not asked for, and \($1.text) is: one of the two names looks like a slip.")
        }
    }

    private var trust: [Problem] {
        // Without a start under the CA there is nothing to say of it.
        guard look.early == nil || look.early?.reason == .caNotTrusted || look.early?.reason == .visitedOnce else {
            return []
        }
        let controls = look.hosts.filter(\.role.isControl)
        let attacked = profile.rules.filter { $0.expect == .refuse }
        guard attacked.contains(where: \.anchors.isEmpty),
            !look.hosts.contains(where: { $0.forged == .accepted }),
            profile.lent.values.allSatisfy({ $0.backupKey == nil })
        else { return [] }
        let refusing = controls.filter { if case .refused = $0.forged { true } else { false } }
        if !refusing.isEmpty {
            let areWordless = refusing.allSatisfy { $0.forged == .refused(alert: nil) }
            let texts = [areWordless ? EarlyAdvice.pinnedControl : nil, FindingAdvice.cause("ca-not-trusted")]
            return [Problem(text: texts.compactMap(\.self).joined(separator: " "))]
        }
        guard controls.isEmpty || controls.allSatisfy({ $0.forged == .notAskedFor }) else { return [] }
        // Whatever came untouched stayed away: no matter of controls.
        if look.hosts.contains(where: { $0.untouched == .data }), look.hosts.allSatisfy({ $0.forged == .notAskedFor }) {
            return [
                Problem(
                    text:
                        "The first start asked for hosts, and those under the CA asked for none, as an app that keeps state does. "
                        + FindingAdvice.cause("visited-once"))
            ]
        }
        return [
            Problem(
                text: (controls.isEmpty ? "No control is named" : "No control was asked for under the CA")
                    + ", so nothing can show that the app trusts the CA, and no refusal can prove a pin: name under `controls` a "
                    + "host that the same build contacts without a pin.")
        ]
    }
}
