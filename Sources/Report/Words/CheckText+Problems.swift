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
            let id = look.early?.reason == .commandNotRun ? "command-not-run" : "nothing-crossed"
            return [Problem(text: FindingAdvice.cause(id))]
        }
        return look.hosts.flatMap(problems) + slips + trust
    }

    private func problems(_ host: FirstLook.Host) -> [Problem] {
        guard host.isRequired, host.role != .tunnel else { return [] }
        let name = host.name.text
        switch host.untouched {
        case .notAskedFor:
            guard !(look.early?.hosts.contains(host.name) ?? false) else { return [] }
            return [Problem(text: "\(name) is not asked for: let COMMAND's journey contact it.")]
        case .failed(let reason):
            let why = reason.map { " (\($0))" } ?? ", though its server answers: the app may not trust its certificate"
            return [Problem(text: "\(name) does not work even untouched\(why).", isEnvironment: true)]
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

    private var slips: [Problem] {
        guard let early = look.early, early.reason == .nameSlip else { return [] }
        return zip(early.hosts, early.instead).map {
            Problem(text: "\($0.text) is not asked for, and \($1.text) is: one of the two names looks like a slip.")
        }
    }

    private var trust: [Problem] {
        // Without a start under the CA there is nothing to say of it.
        guard look.early == nil || look.early?.reason == .caNotTrusted else { return [] }
        let controls = look.hosts.filter(\.role.isControl)
        let attacked = profile.rules.filter { $0.expect == .refuse }
        guard attacked.contains(where: \.anchors.isEmpty),
            !look.hosts.contains(where: { $0.forged == .accepted }),
            profile.lent.values.allSatisfy({ $0.backupKey == nil })
        else { return [] }
        let refusing = controls.filter { if case .refused = $0.forged { true } else { false } }
        if !refusing.isEmpty { return [Problem(text: FindingAdvice.cause("ca-not-trusted"))] }
        guard controls.isEmpty || controls.allSatisfy({ $0.forged == .notAskedFor }) else { return [] }
        return [
            Problem(
                text: (controls.isEmpty ? "No control is named" : "No control was asked for under the CA")
                    + ", so nothing can show that the app trusts the CA, and no refusal can prove a pin: name under `controls` a "
                    + "host that the same build contacts without a pin.")
        ]
    }
}
