import Facts
import Policy

// Stacks that come to a host beside the one that does its work.

extension Review {
    /// Stacks that were seen only under `trusted-ca` and the like, each time after another stack of the host had
    /// refused, and that said what they think of the certificate: a client that tries again with less on offer.
    ///
    /// Whether they trust the CA is not known. One that says "unknown CA", where the others do not, says that it does
    /// not, and is no mere second try.
    static func fallbacks(from genuine: Set<String>, _ sightings: [Sighting], _ trusted: [Meeting]) -> Set<String> {
        let untouched = Set(sightings.filter(\.isUntouchedAttempt).map(\.stack))
        let attacked = trusted.flatMap(\.sightings)
        let unknownCA = attacked.contains {
            genuine.contains($0.stack) && $0.answer.certificateAlert?.code == AlertCode.unknownCA
        }
        let candidates = Set(attacked.map(\.stack)).subtracting(untouched).subtracting([""])
        return candidates.filter { stack in
            trusted.allSatisfy { meeting in
                meeting.sightings.filter { $0.stack == stack }.allSatisfy { again in
                    guard again.outcome == .alert, again.isIdentified, let alert = again.answer.certificateAlert,
                        unknownCA || alert.code != AlertCode.unknownCA
                    else { return false }
                    return meeting.sightings.contains {
                        $0.stack != stack && genuine.contains($0.stack) && $0.isRefusal
                            && $0.met <= again.observation.at
                    }
                }
            }
        }
    }

    /// Stacks all of whose refusals of `trusted-ca` say that they are about the certificate: those are no unused
    /// sockets, so they need not be seen at work untouched.
    static func outspoken(_ trusted: [Meeting]) -> Set<String> {
        let refusals = trusted.flatMap(\.sightings).filter(\.isRefusal)
        let mute = Set(refusals.filter { $0.outcome != .alert || $0.answer.certificateAlert == nil }.map(\.stack))
        return Set(refusals.map(\.stack)).subtracting(mute).subtracting([""])
    }
}

extension AlertCode {
    fileprivate static let unknownCA: UInt8 = 48
}
