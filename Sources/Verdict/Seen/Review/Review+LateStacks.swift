import Facts
import Policy

// Stacks that come to a host only once another one's data went through: an app that signs in by one library and downloads
// by another. Where every connection is attacked the first one refuses, and the second is never seen.

extension Review {
    /// Trials of a requirement that are one for this stack. Where a host's first connections were left alone, that is for the
    /// late stack whose turn comes behind them, and for no other: an early one had its work done by the genuine server.
    func meetings(_ requirement: Requirement, on stack: String) -> [Meeting] {
        let spared = sparedBefore(stack)
        return meetings.filter { requirement.matches($0) && ($0.sparedFirst == 0 || spared.contains($0.sparedFirst)) }
    }

    /// Trials in which a late stack was shown what `trusted-ca` presents, the connections before it left alone, and would not
    /// have it: they are its cold starts.
    func lateRefusals(of stack: String) -> [Meeting] {
        guard !sparedBefore(stack).isEmpty else { return [] }
        return meetings.filter { meeting in
            // What is made for one client is in no catalogue, and shows the same.
            let recipe = AttackCatalogue.form(meeting.attack, meeting.variant)?.recipe ?? .likeTheGenuine
            let presentsTheSame =
                meeting.reading.occasion == .furtherConnection && recipe == .likeTheGenuine
                || meeting.attack == .trustedCA && meeting.variant == nil && meeting.sparedFirst > 0
            return presentsTheSame && hasRefused(meeting, on: stack)
        }
    }

    /// Each cold start with the stacks that refused in it, those of late stacks among them.
    var refusingStarts: [(start: Meeting, stacks: Set<String>)] {
        coldStarts.map { ($0, refusals(in: $0)) }
            + lateStacks.flatMap { stack in lateRefusals(of: stack).map { ($0, [stack]) } }
    }

    /// Late stacks that refused so.
    var lateRefused: Set<String> { Set(lateStacks.filter { !lateRefusals(of: $0).isEmpty }) }

    /// It comes in every untouched trial, behind the same number of connections.
    func comesSteadily(_ stack: String) -> Bool {
        sparedBefore(stack).count == 1 && places.appearances(of: stack) == places.count
    }

    /// A late stack was shown a forged chain in one of the trials that leave some connections alone.
    func wasMetLate(_ stack: String) -> Bool {
        meetings.contains { meeting in
            meeting.sparesSome && meeting.sightings.contains { $0.stack == stack && $0.wasDelivered }
        }
    }

    /// The first late stack that came in none of the trials that left others alone for it; nil where there is none.
    var unmetStack: UnmetStack? {
        for stack in lateStacks where !wasMetLate(stack) {
            let tried = meetings(Requirement(attack: .trustedCA, variant: nil), on: stack).filter { $0.sparedFirst > 0 }
            guard !tried.isEmpty else { continue }
            return UnmetStack(used: places.appearances(of: stack), of: places.count, tried: tried.count)
        }
        return nil
    }

    /// The attack has to be tried with the connections before this stack left alone, and was not.
    func isOwedLate(_ requirement: Requirement, to stack: String) -> Bool {
        // A redirect sends clients on whatever they did before, and what begins with an outage leaves nobody alone.
        guard requirement.onset == .atOnce, requirement.reading.occasion != .redirect, !sparedBefore(stack).isEmpty
        else {
            return false
        }
        // No start began with what an earlier one had left.
        if requirement.reading.occasion == .earlierStart, !hasEarlierStart(for: requirement) { return false }
        // It was seen not to have on offer what such a form is made of.
        if dependsOnHello(requirement), !hadOccasion(for: requirement, on: stack) { return false }
        return !meetings(requirement, on: stack).contains { $0.sparedFirst > 0 }
    }

    /// A form that only some clients can meet, which the plain one has shown.
    private func dependsOnHello(_ requirement: Requirement) -> Bool {
        if requirement.reading.occasion == .dialogue { return true }
        return switch requirement.form?.conduct.offer {
        case .newer, .only: requirement.dependsOnOffer
        case .tls12: requirement.dependsOnOffer && requirement.attack != .trustedCA
        default: false
        }
    }

    /// A late stack's connection that was finished and not used: untouched it is used there each time, and in this trial no
    /// other one of that stack did its work.
    func wasNeededLate(_ stack: String, in meeting: Meeting) -> Bool {
        guard !sparedBefore(stack).isEmpty, let attacked = meeting.places,
            places.isAlwaysUsed(attacked, by: stack, run: meeting.trial.run)
        else {
            return false
        }
        return !sightings.contains {
            $0.trial == meeting.trial && $0.stack == stack && $0.carriedGenuineData
        }
    }
}

/// A TLS stack that comes late, and never came when it was to be attacked.
package struct UnmetStack: Hashable, Sendable {
    /// Untouched trials in which it came, of those that carried data.
    package var used: Int
    package var of: Int
    /// Whole trials under `trusted-ca` that left the connections before it alone.
    package var tried: Int

    package init(used: Int, of: Int, tried: Int) {
        self.used = used
        self.of = of
        self.tried = tried
    }
}

extension Requirement {
    /// The pinning test itself.
    var isPlainTrustedCA: Bool { attack == .trustedCA && variant == nil }
}
