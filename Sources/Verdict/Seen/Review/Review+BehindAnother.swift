import Facts
import Policy

// A connection that comes only once another one's data went through, on the same stack: a login, and then an upload by a client of its
// own. Where every connection is attacked the first one refuses, and the second is never seen. That it refuses `trusted-ca`,
// `later-connection` shows; what its pin is worth, only the other attacks show, with the first one left alone.

extension Review {
    /// How many connections are left alone before it.
    static let sparedBeforeAnother = 1

    /// The stack uses a second connection in each untouched trial of some run, and no cold start was seen to meet that beside the
    /// first.
    func comesBehindAnother(_ stack: String) -> Bool {
        let second = Self.sparedBeforeAnother + 1
        // In a share it may be another one that attacks connections by their place.
        return (laterConnection != nil || isShare) && sparedBefore(stack).isEmpty
            && places.areAlwaysUsed([1...1, second...second], by: stack)
            && !places.areMetBeside(second...second, in: self)
    }

    /// The attack has still to be shown to a connection of this stack that comes behind another one.
    func isOpenBehindAnother(_ requirement: Requirement, _ stack: String) -> Bool {
        guard requirement.isShownBehindAnother, comesBehindAnother(stack) else { return false }
        switch reaction(of: stack, to: requirement) {
        case .leftOut: return false
        // Where the first connection refuses at once, nothing that could be resumed comes of it.
        case .noOccasion:
            guard requirement.isOfResumption, offersVersion(of: requirement, stack),
                !isNeverAgreedOn(requirement, stack)
            else { return false }
        default: break
        }
        return !meetingsBehindAnother(requirement).contains { meeting in
            hasRefused(meeting, on: stack) || meeting.has(.reset, on: stack) && refusesByReset(stack)
        }
    }

    private func offersVersion(of requirement: Requirement, _ stack: String) -> Bool {
        guard requirement.form?.conduct.offer == .tls12 else { return true }
        return sightings.contains { $0.stack == stack && $0.observation.hello?.versions.contains(.tls12) ?? false }
    }

    /// It was shown behind another connection, and they found nothing in common each time.
    private func isNeverAgreedOn(_ requirement: Requirement, _ stack: String) -> Bool {
        let shown = meetingsBehindAnother(requirement).flatMap(\.sightings).filter { $0.stack == stack }
        return !shown.isEmpty && shown.allSatisfy { $0.outcome == .negotiation }
    }

    /// Trials of it in which the first connection was left alone.
    func meetingsBehindAnother(_ requirement: Requirement) -> [Meeting] {
        meetings.filter { requirement.matches($0) && $0.sparedFirst == Self.sparedBeforeAnother }
    }
}

extension Requirement {
    fileprivate var isOfResumption: Bool { reading.occasion == .resumption && form?.needs == nil }

    /// It presents something that a weak pin may take, and is one of the standard set's: those of `all` would double its runs.
    /// What needs more than a certificate to be shown has forms of its own.
    fileprivate var isShownBehindAnother: Bool {
        guard let form, let set = form.set ?? AttackCatalogue.attack(attack)?.set, set <= .standard,
            reading.data == .witness, reading.reserve == nil
        else { return false }
        let conduct = form.conduct
        return conduct.onset == .atOnce && !conduct.continuesState && !isPlainTrustedCA
            && (reading.occasion == .none || reading.occasion == .offer || isOfResumption)
    }
}
