import Facts
import Policy

/// `trusted-ca` once more in the standard set, in a form that only `all` has.
///
/// `older` is for pins that are checked in one kind of connection and forgotten in another: TLS 1.2, an RSA leaf and
/// HTTP/1.1, each where the client has it on offer and the plain form had something newer. `host-only` is for pins that
/// are compared with the chain of another host, which elsewhere is forged together with this one. `others-unreachable` is
/// for pins that come from another host, and are not there without it. `coalesced` is for requests that go over another
/// host's connection: that one's forged leaf names this host as well.
///
/// They come when all else is settled and, in runs with one cold start, where there is room for them, once for a host.
struct FurtherForm {
    enum Name: String, CaseIterable {
        case older
        case hostOnly = "host-only"
        case othersUnreachable = "others-unreachable"
        case coalesced

        var fullName: String { "\(AttackID.trustedCA)/\(rawValue)" }
    }

    let name: Name
    private let attack: Attack
    private let variant: Attack.Variant

    /// None where the run is of less than the standard set, or has these forms among its attacks.
    static func all(among attacks: [Attack]) -> [FurtherForm] {
        guard let attack = attacks.first(where: { $0.id == .trustedCA }),
            attacks.contains(where: { $0.id == Attack.laterConnection.id })
        else { return [] }
        return Name.allCases.compactMap { name in
            guard !attack.variants.contains(where: { $0.name == name.rawValue }),
                let variant = Attack.trustedCA.variants.first(where: { $0.name == name.rawValue })
            else { return nil }
            return FurtherForm(name: name, attack: attack, variant: variant)
        }
    }

    /// nil where it was tried at this host, or says nothing there.
    ///
    /// - Parameter isHampered: other hosts are attacked where all are.
    func trial(at review: Review, in file: CaseFile, isHampered: Bool) -> Trial? {
        switch name {
        case .older: break
        case .hostOnly, .othersUnreachable: if !isInCompany(review.host, in: file) { return nil }
        case .coalesced: if !isBesideAnotherForged(review.host, in: file) { return nil }
        }
        let tried = review.meetings.filter { $0.attack == attack.id && $0.variant == name.rawValue }
        guard !tried.isEmpty else { return Trial(attack: attack, variant: variant) }
        // At all hosts at once; alone where another one's refusal was in the way.
        guard name == .older, isHampered,
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
