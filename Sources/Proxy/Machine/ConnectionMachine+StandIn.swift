import Facts
import Policy

/// A host that has to refuse, and whose server cannot be had: not there, or not for this client.
///
/// Whoever intercepts needs no server to show a certificate and to be sent a request. A client that asks a port that is closed,
/// or offers what its server takes no more, is attacked by what its host has shown elsewhere in the run, and reads no answer.
extension ConnectionMachine {
    /// What goes on where the origin can be stood in for.
    enum Want: Hashable {
        /// A tunnel that was asked for, before the ClientHello.
        case tunnel(Endpoint)
        case meeting(Meeting)

        /// A client that goes on where it cannot reach a server, and not where one is wrong, is to have met that before: a first
        /// attempt that leads nowhere is left as it is.
        fileprivate var scope: Scope {
            switch self {
            case .tunnel: .trial
            case .meeting: .run
            }
        }

        fileprivate var host: HostName {
            switch self {
            case .tunnel(let target): target.host
            case .meeting(let meeting): meeting.host
            }
        }
    }

    /// Since when its host has to have shown its chain.
    enum Scope: Hashable { case trial, run }

    /// The origin cannot be had.
    mutating func goWithoutOrigin(_ fault: Fault, _ moment: Moment) -> [Action] {
        guard !ends.client else { return turnAway(fault, moment) }
        switch state {
        case .dialing(.tunnel(let target)): return wantStandIn(.tunnel(target), fault, moment)
        case .dialing(.meeting(let meeting)), .originHandshake(let meeting):
            return wantStandIn(.meeting(meeting), fault, moment)
        default: return turnAway(fault, moment)
        }
    }

    mutating func wantStandIn(_ want: Want, _ fault: Fault, _ moment: Moment) -> [Action] {
        guard mayStandIn(for: want) else { return turnAway(fault, moment) }
        ends.origin = false
        return enter(.wanting(want, fault), moment, [.dropOrigin, .askStandIn(want.host, for: want.scope)])
    }

    mutating func goOn(_ want: Want, without fault: Fault, _ moment: Moment) -> [Action] {
        switch want {
        case .tunnel(let target):
            lacking = fault
            return enter(.hello(target: target), moment, [.noteLacking(fault)] + confirm() + [.readHello])
        case .meeting(let meeting):
            return enter(.originHandshake(meeting), moment, [.standIn(for: meeting.host, fault)])
        }
    }

    /// Only what a client has to refuse. Its own key, lent, is no attack, and a client that meets it is to have its answer.
    ///
    /// A tunnel that does not stand untouched has no ClientHello there: where connections are counted it is to have none either.
    private func mayStandIn(for want: Want) -> Bool {
        guard case .attack = plan.phase, plan.profile.role(of: want.host) == .refuse,
            case .intercept(let attack, let variant) = decide(want.host),
            attack.id != Attack.lentKey.id, !variant.isUnattacked, !variant.beginsUnderLentKey,
            variant.conduct.denialOfTLS == nil
        else { return false }
        switch want {
        case .tunnel: return variant.conduct.onset == .atOnce
        case .meeting(let meeting): return !meeting.isSpared
        }
    }

    /// It said nothing, where nobody else will either.
    mutating func leaveSilent(_ moment: Moment) -> [Action] { lacking.map { turnAway($0, moment) } ?? [] }
}
