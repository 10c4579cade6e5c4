import Facts
import Policy

/// How far a refusal can be trusted to be the client's answer to the chain it was shown.
enum Grade: Hashable {
    /// The client read the forged chain and would not have it.
    case conclusive
    /// Closed by an RST without a word before the handshake was over: a crash looks the same. Counts where every
    /// cold start ends so.
    case reset
    /// Another host's refusal came first; this may be an unused socket thrown away. Counts for nothing.
    case inCompany
    /// SNI and CONNECT do not say that it was for this host.
    case unidentified
    /// The client could not read us, or we offered another protocol than the origin: a fault of ours, not a refusal.
    case faulty
}

extension TrialFile {
    /// nil for what is no refusal at all.
    ///
    /// - Parameter misreading: stacks that find a wrong signature under `trusted-ca` as well, where there is none: what they
    ///   say of signatures is no word about a chain.
    func grade(_ sighting: Sighting, misreading: Set<String> = []) -> Grade? {
        if endsSafely(sighting) { return sighting.isIdentified ? .conclusive : .unidentified }
        guard sighting.isRefusal else { return nil }
        guard sighting.isIdentified else { return .unidentified }
        let answer = sighting.answer
        if answer.alert != nil {
            if sighting.missesGenuineIssuerKey, !misreading.contains(sighting.stack) { return .conclusive }
            if answer.couldNotRead, sighting.wasSignedHonestly { return .faulty }
            if answer.certificateAlert != nil { return .conclusive }
            // Where the signature is wrong on purpose, a word about it answers what was shown, whoever refused before.
            if !sighting.wasSignedHonestly, answer.complainsOfSignature { return .conclusive }
        } else if sighting.outcome == .alert {
            // It could not be read, and only where a signature is wrong does a client have other keys than we.
            return .conclusive
        } else if let ours = sighting.observation.negotiated?.alpn,
            let theirs = sighting.observation.upstream?.negotiated?.alpn, ours != theirs,
            AttackCatalogue.form(sighting.attack, sighting.variant)?.conduct.offer != .newer
        {
            return .faulty
        }
        if isInCompany(sighting) { return .inCompany }
        return answer.isBareReset ? .reset : .conclusive
    }

    /// Where what is agreed on, or the certificate itself, is unusable on purpose, saying so is the safe answer, and so
    /// is going away where no TLS can be had.
    private func endsSafely(_ sighting: Sighting) -> Bool {
        let isNegotiation = sighting.outcome == .negotiation
        switch sighting.reading.end {
        case .refusal: return false
        case .any: return sighting.isRefusal || isNegotiation || sighting.leftWhatItMet
        case .unusable: return isNegotiation && sighting.saidAfterFlight
        case .unusableOrUnverifiable:
            let wasShown = sighting.observation.flight != nil && sighting.answer.alert != nil
            return isNegotiation && (sighting.saidAfterFlight || !wasShown)
        }
    }
}

extension Sighting {
    /// Both signatures that a client checks are right, the handshake's and the leaf's, and each is one that it can make
    /// something of; else "decrypt_error" is the answer of a client that took the rest. Attacks that this version does
    /// not know may show it a wrong one too.
    fileprivate var wasSignedHonestly: Bool {
        guard reading.end != .unusable, reading.end != .unusableOrUnverifiable else { return false }
        return AttackCatalogue.signsHonestly(attack, variant) ?? false
    }

    /// It looked the issuer up by its name, found the genuine one, and says that this one's key did not sign the leaf
    /// (webpki has anchors by name alone, OpenSSL an intermediate that is one).
    var missesGenuineIssuerKey: Bool {
        outcome == .alert && !answer.hasFinished && answer.alert?.code == AlertCode.decryptError.rawValue
            && !observation.unlike.contains("plain-chain") && AttackCatalogue.namesGenuineIssuers(attack, variant)
    }

    /// Plain `trusted-ca` was answered by "decrypt_error", though both of its signatures are right.
    fileprivate var misreadsSignature: Bool {
        attack == .trustedCA && variant == nil && answer.alert?.code == AlertCode.decryptError.rawValue
    }

    /// It went away, having met the attack: no server that could not be reached, and not the end of its start, was in the way.
    fileprivate var leftWhatItMet: Bool {
        outcome == .early && observation.attack != nil && observation.error == nil && observation.upstream?.error == nil
            && observation.close?.by != .gate
    }

    /// What the client said, it said of what it had been sent.
    fileprivate var saidAfterFlight: Bool {
        guard let flight = observation.flight, let alert = answer.alert else { return false }
        return alert.ms >= flight.ms
    }
}

extension [Sighting] {
    /// Stacks that find a wrong signature where there is none.
    var misreadingStacks: Set<String> { Set(filter(\.misreadsSignature).map(\.stack)) }
}

/// What one host did in one whole trial in which it was to be attacked.
///
/// A class for the same reason as `Sighting`.
final class Meeting: Sendable {
    let trial: TrialKey
    let attack: AttackID
    let variant: String?
    /// The other hosts were left alone.
    let isAlone: Bool
    /// Those that do not have to refuse were.
    let isApart: Bool
    /// As `TrialStart` says it.
    let sparedFirst: Int
    /// The start left something that a later one could go on from.
    let leftState: Bool
    let sightings: [Sighting]
    /// The refusals among them.
    let graded: [(sighting: Sighting, grade: Grade)]
    /// Their grades by stack.
    let refusals: [String: Set<Grade>]
    /// How what is done under the attack is read.
    let reading: Reading

    /// - Parameters:
    ///   - attack: differs from the trial's where hosts expected to accept meet `trusted-ca` under every attack but
    ///     `untrusted-ca`, which they are shown as controls.
    ///   - misreading: stacks that find a wrong signature under `trusted-ca` as well.
    init(
        _ file: TrialFile, _ host: HostName, attack: AttackID, variant: String?, misreading: Set<String> = []
    ) {
        trial = file.key
        self.attack = attack
        self.variant = variant
        isAlone = file.only == [host]
        isApart = !file.only.isEmpty
        let reading = AttackCatalogue.reading(of: attack, variant)
        self.reading = reading
        sparedFirst = file.sparedFirst
        leftState = file.end?.leftState ?? false
        // What an attack shows under the lent key, to begin with, is a control and not the attack.
        sightings = (file.sightings[host] ?? []).filter {
            $0.outcome != nil && $0.isUnderLentKey == (reading.data == .control)
                && ($0.attack != .untrustedCA || attack == .untrustedCA)
        }
        graded = sightings.compactMap { sighting in
            file.grade(sighting, misreading: misreading).map { (sighting, $0) }
        }
        refusals = graded.reduce(into: [:]) { $0[$1.sighting.stack, default: []].insert($1.grade) }
    }

    var wasAttempted: Bool { !sightings.isEmpty }
    var isColdStart: Bool { attack == .trustedCA && variant == nil && sparedFirst == 0 }

    func has(_ grade: Grade, on stack: String) -> Bool { refusals[stack]?.contains(grade) ?? false }
    func stacks(_ grade: Grade) -> Set<String> { Set(refusals.filter { $0.value.contains(grade) }.keys) }

    /// The stack left the handshake without a word: by an RST, or by nothing else in all of its refusals that count.
    func wentSilently(_ stack: String) -> Bool {
        if has(.reset, on: stack) { return true }
        let counted = graded.filter { $0.grade == .conclusive && $0.sighting.stack == stack }
        return !counted.isEmpty && counted.allSatisfy { $0.sighting.outcome == .silent }
    }

    /// It was there, and nothing that was shown reached it, for no doing of its own: our flight was on its way, or somebody
    /// else ended the connection. A client that leaves before there is anything to read leaves for another reason.
    func showedNothing(to stack: String) -> Bool {
        let seen = sightings.filter { $0.stack == stack || $0.stack.isEmpty }
        return !seen.isEmpty
            && seen.allSatisfy { sighting in
                guard sighting.outcome == .early, let close = sighting.observation.close else { return false }
                return sighting.observation.flight != nil || close.by != .client
            }
    }
}
