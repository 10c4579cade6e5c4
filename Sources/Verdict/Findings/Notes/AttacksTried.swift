import Facts
import Policy

/// What a verdict rests on, and what was left out.
///
/// By what the host was met with in whole trials, not by what the run set out to try: it may have been cut short.
enum AttacksTried {
    static func find(_ host: HostCase, _ verdict: HostVerdict) -> [Finding] {
        let review = host.review
        let met = review.met
        let missed = host.file.attacks.filter { !met.contains($0) }
        let scope = FindingFact.Scope(
            met: AttackCatalogue.inOrder(met), missed: missed,
            leftOut: review.requirements.filter(review.isLeftOut).map(\.fullName), formsLeft: formsLeft(host),
            partial: partial(review),
            untried: AttackCatalogue.toBeRefused.filter { !met.contains($0) && !missed.contains($0) },
            connections: review.places.leftOut(in: review))
        return [Finding(id: "attacks-tried", severity: .note, fact: .proof(.attacksTried(scope)))]
    }

    /// One form that another includes was met with it.
    private static func partial(_ review: Review) -> [FindingFact.Scope.Forms] {
        let meetings = review.metMeetings
        return AttackCatalogue.inOrder(review.met).compactMap { id in
            guard let forms = AttackCatalogue.attack(id)?.variants else { return nil }
            let names = Set(meetings.filter { $0.attack == id }.map(\.variant))
            let included = Set(forms.filter { names.contains($0.name) }.flatMap(\.includes))
            let met = forms.count { names.contains($0.name) || $0.name.map(included.contains) == true }
            return met < forms.count ? FindingFact.Scope.Forms(attack: id, met: met, all: forms.count) : nil
        }
    }

    /// What the standard set tries when all else was refused, and where there is room, and did not here.
    private static func formsLeft(_ host: HostCase) -> [String] {
        let (file, review) = (host.file, host.review)
        guard file.isComplete, review.witnesses.isEmpty, review.carriedGenuineData, review.laterConnection != nil,
            review.requirements.contains(where: { $0.reading.probe == .genuineChain })
        else { return [] }
        let tried = review.meetings.map { Requirement(attack: $0.attack, variant: $0.variant).fullName }
        let known = Set(tried + review.requirements.map(\.fullName))
        return FurtherForm.all(among: AttackSelection.set(.standard).attacks).filter {
            $0.trial(at: review, in: file, isHampered: false) != nil && !known.contains($0.name)
        }.map(\.name)
    }
}
