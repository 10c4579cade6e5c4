import Facts
import Policy

/// A form that only `all` has, in the standard set: of `trusted-ca` or `cloned-identity`.
///
/// `Reading.reserve` says which. They come when all else is settled and, in runs with one cold start, where there is room
/// for them, once for a host.
struct FurtherForm {
    private let attack: Attack
    private let variant: Attack.Variant
    private let reserve: Reading.Reserve
    /// The run has it among its attacks; then it may only have to be tried at this host alone.
    let isOwn: Bool

    /// With several hosts to refuse, each of them is tried alone.
    var isOfEach: Bool { variant.conduct.sparesOthers }

    /// Most clients give an occasion for it.
    var isUsual: Bool { reserve != .tookGenuineIssuer }

    /// As evidence and plans name it.
    var name: String { attack.name(of: variant) }

    /// None where the run is of less than the standard set; of those that it has among its attacks only what is to be tried
    /// at one host alone. Those that always come are the first.
    static func all(among attacks: [Attack]) -> [FurtherForm] {
        guard attacks.ofLaterConnections != nil else { return [] }
        let forms = [Attack.trustedCA, .clonedIdentity].flatMap { known -> [FurtherForm] in
            guard let attack = attacks.first(where: { $0.id == known.id }) else { return [] }
            return known.variants.compactMap { variant in
                guard let reserve = variant.reading?.reserve else { return nil }
                let isOwn = attack.variants.contains { $0.name == variant.name }
                return isOwn && !variant.conduct.sparesOthers
                    ? nil : FurtherForm(attack: attack, variant: variant, reserve: reserve, isOwn: isOwn)
            }
        }
        return forms.filter { $0.reserve == .always } + forms.filter { $0.reserve != .always }
    }

    /// nil where it was tried at this host, or says nothing there.
    ///
    /// - Parameter isHampered: other hosts are attacked where all are.
    func trial(at review: Review, in file: CaseFile, isHampered: Bool) -> Trial? {
        switch reserve {
        case .always: break
        case .inCompany: if !isInCompany(review.host, in: file) { return nil }
        case .besideForged: if !isBesideAnotherForged(review.host, in: file) { return nil }
        case .tookGenuineIssuer: if !review.meetings.contains(where: \.tookGenuineIssuer) { return nil }
        }
        let tried = review.meetings.filter { $0.attack == attack.id && $0.variant == variant.name }
        // Where several hosts have to refuse, those beside this one are left alone as well.
        if isHampered, variant.conduct.sparesOthers {
            guard !tried.contains(where: \.isAlone) else { return nil }
            return Trial(attack: attack, variant: variant, only: [review.host])
        }
        if isOwn { return nil }
        if tried.isEmpty { return Trial(attack: attack, variant: variant) }
        // At all hosts at once; alone where another one's refusal was in the way.
        guard reserve == .always || reserve == .tookGenuineIssuer, isHampered,
            !tried.contains(where: { $0.isAlone || $0.sightings.contains(where: \.wasDelivered) })
        else { return nil }
        return Trial(attack: attack, variant: variant, only: [review.host])
    }

    /// The client took the CA at a host that does not have to refuse: it has a forged connection to send requests over.
    private func isBesideAnotherForged(_ host: HostName, in file: CaseFile) -> Bool {
        file.trials.contains { trial in
            trial.sightings.contains { other, seen in
                other != host && file.profile.role(of: other) != .refuse
                    && seen.contains { $0.showsTrust(of: .trustedCA) }
            }
        }
    }

    /// The client visits other hosts as well, untouched.
    private func isInCompany(_ host: HostName, in file: CaseFile) -> Bool {
        file.trials.contains { $0.isPassthrough && $0.sightings.contains { $0.key != host && !$0.value.isEmpty } }
    }
}

extension Meeting {
    /// A client looked an issuer up by its name, and found the genuine one.
    fileprivate var tookGenuineIssuer: Bool { sightings.contains(where: \.missesGenuineIssuerKey) }
}
