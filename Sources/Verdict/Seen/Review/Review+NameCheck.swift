import Facts
import Policy

extension Review {
    /// Connections that complained of the signature alone when they were shown another host's chain of the same CA: on
    /// stacks that refuse `trusted-ca` by a word about the certificate, in the handshake, the name was not looked at.
    ///
    /// A client that refuses after the handshake says nothing by this: it had not come to its check. And one whose pin is in
    /// the handshake may look at the name after it (OkHttp, HttpsURLConnection): at a wrong signature it stops before that,
    /// just as one that never looks. Only a chain with its key (`other_host`) takes it further, so where the stack finished
    /// a handshake with such a chain and went no further, it is not among these; else nothing on the wire tells the two
    /// apart, and what rests on this is a suspicion.
    var certificateStagePassedForOtherHost: [Sighting] {
        let trusted = self.trusted.flatMap(\.sightings).filter { $0.isRefusal && $0.isIdentified }
        let outspoken = Set(trusted.map(\.stack)).filter { stack in
            trusted.filter { $0.stack == stack }.map(\.answer).allSatisfy {
                $0.certificateAlert != nil && !$0.hasFinished
            }
        }
        return meetings.filter { $0.reading.probe == .anotherName }.flatMap(\.sightings).filter {
            outspoken.contains($0.stack) && $0.isIdentified && $0.outcome == .alert && !$0.answer.hasFinished
                && $0.answer.complainsOfSignature && !stacksThatLookAtNamesLate.contains($0.stack)
        }
    }

    /// Somebody's chain that the pins take, with its key, was refused: what was left to dislike is the name.
    private var refusalsOfOtherHost: [Sighting] {
        let shown = meetings.flatMap(\.sightings).filter {
            AttackCatalogue.form($0.attack, $0.variant)?.needs == .otherHost && $0.wasDelivered && $0.isIdentified
        }
        let taking = Set(shown.filter { !$0.isRefusal }.map(\.stack))
        return shown.filter { !taking.contains($0.stack) }
    }

    private var stacksThatLookAtNamesLate: Set<String> {
        Set(refusalsOfOtherHost.filter(\.answer.hasFinished).map(\.stack))
    }

    /// Each stack that works here was seen to refuse another host's chain of the same CA, and not for its signature.
    var refusesOtherNames: Bool {
        let byName = meetings.flatMap(\.sightings).filter {
            $0.reading.probe == .anotherName && $0.isIdentified && $0.answer.certificateAlert != nil
        }
        return genuineStacks.isSubset(of: Set((byName + refusalsOfOtherHost).map(\.stack)))
    }
}
