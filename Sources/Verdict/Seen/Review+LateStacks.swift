import Facts
import Policy

// Stacks that come to a host only once another one's data went through: an app that signs in by one library and downloads
// by another. Where every connection is attacked the first one refuses, and the second is never seen.

extension Review {
    /// Trials of a requirement that are one for this stack. Where a host's first connections were left alone, that is for the
    /// late stack whose turn comes behind them, and for no other: an early one had its work done by the genuine server.
    func meetings(_ requirement: Requirement, on stack: String) -> [Meeting] {
        let spared = sparedBefore(stack)
        return meetings.filter { requirement.matches($0) && ($0.sparedFirst == 0 || $0.sparedFirst == spared) }
    }

    /// Trials in which a late stack was shown what `trusted-ca` presents, the connections before it left alone, and would not
    /// have it: they are its cold starts.
    func lateRefusals(of stack: String) -> [Meeting] {
        guard sparedBefore(stack) != nil else { return [] }
        return meetings.filter { meeting in
            let presentsTheSame =
                meeting.reading.occasion == .furtherConnection
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

    /// The attack has to be tried with the connections before this stack left alone, and was not.
    func isOwedLate(_ requirement: Requirement, to stack: String) -> Bool {
        // A redirect sends clients on whatever they did before, and what begins with an outage leaves nobody alone.
        guard requirement.onset == .atOnce, requirement.reading.occasion != .redirect, sparedBefore(stack) != nil else {
            return false
        }
        // No start began with what an earlier one had left.
        if requirement.reading.occasion == .earlierStart, !hadOccasion(for: requirement, on: stack) { return false }
        return !meetings(requirement, on: stack).contains { $0.sparedFirst > 0 }
    }

    /// A late stack's connection that was finished and not used: untouched it is used there each time, and in this trial no
    /// other one of that stack did its work.
    func wasNeededLate(_ stack: String, in meeting: Meeting) -> Bool {
        guard sparedBefore(stack) != nil, let attacked = meeting.places, places.isAlwaysUsed(attacked, by: stack) else {
            return false
        }
        return !sightings.contains {
            $0.trial == meeting.trial && $0.stack == stack && $0.carriedGenuineData
        }
    }
}

extension Requirement {
    /// The pinning test itself.
    var isPlainTrustedCA: Bool { attack == .trustedCA && variant == nil }
}
