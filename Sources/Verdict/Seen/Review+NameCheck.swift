import Facts
import Policy

extension Review {
    /// Connections that complained of the signature alone when they were shown another host's chain of the same CA: on
    /// stacks that refuse `trusted-ca` by a word about the certificate, in the handshake, the name was not looked at.
    ///
    /// A client that refuses after the handshake says nothing by this: it had not come to its check.
    var certificateStagePassedForOtherHost: [Sighting] {
        let trusted = self.trusted.flatMap(\.sightings).filter { $0.isRefusal && $0.isIdentified }
        let outspoken = Set(trusted.map(\.stack)).filter { stack in
            trusted.filter { $0.stack == stack }.map(\.answer).allSatisfy {
                $0.certificateAlert != nil && !$0.hasFinished
            }
        }
        return meetings.filter { $0.reading.probe == .anotherName }.flatMap(\.sightings).filter {
            outspoken.contains($0.stack) && $0.isIdentified && $0.outcome == .alert && !$0.answer.hasFinished
                && $0.answer.complainsOfSignature
        }
    }
}
