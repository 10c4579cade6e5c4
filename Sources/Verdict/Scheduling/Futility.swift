import Facts
import Policy

/// Whether the first trials show that no plan could settle anything.
///
/// Asked before the first trial, after it, and after the first under `trusted-ca`; later nothing of the kind comes to light.
struct Futility {
    let early: EarlyEnd?

    init(_ soFar: RunSoFar, after done: [Trial], controls: [RunEvidence]) {
        if done.isEmpty {
            early =
                soFar.evidence.records.contains { if case .origin = $0.record { true } else { false } }
                ? Self.unusable(soFar.file) : nil
            return
        }
        let isFirst = done == [.passthrough]
        guard isFirst || done == [.passthrough, .coldStart] else {
            early = nil
            return
        }
        let file = soFar.file
        early =
            isFirst
            ? Self.untouched(file, soFar.evidence)
            : Self.unusable(file) ?? Self.untrusted(file, isJudgedBesides: !controls.isEmpty) ?? Self.notVisited(file)
                ?? Self.visitedOnce(file)
    }

    private static func untouched(_ file: CaseFile, _ evidence: RunEvidence) -> EarlyEnd? {
        let hasCome = evidence.records.contains {
            if case .connection(let seen) = $0.record { seen.observation.trial > 0 } else { false }
        }
        guard hasCome else {
            let exit = file.trials.last?.end?.exit
            return EarlyEnd(exit == 126 || exit == 127 ? .commandNotRun : .nothingCrossed)
        }
        return slip(file) ?? unusable(file)
    }

    /// Required hosts that got nothing untouched, or cannot be forged: no verdict about them is possible.
    private static func unusable(_ file: CaseFile) -> EarlyEnd? {
        let hosts = named(file.profile).filter { rule in
            let review = Review(file, rule.pattern.base, expect: rule.expect)
            return Environment.fault(at: review, pins: rule.pins) != nil
        }
        return hosts.isEmpty ? nil : EarlyEnd(.originUnusable, hosts: hosts.map(\.pattern.base))
    }

    /// Hosts that have to be there, by name.
    private static func named(_ profile: Profile) -> [HostRule] {
        profile.rules.filter { $0.required && $0.expect != .tunnel && $0.pattern.scope == .exact }
    }

    /// A host that nobody asked for, beside one that the profile does not know and that has nearly its name.
    private static func slip(_ file: CaseFile) -> EarlyEnd? {
        let seen = file.hosts
        let strangers = seen.filter { file.profile.isUndeclared($0) && !$0.isIP }.sorted()
        let controls = file.profile.controls.filter { $0.scope == .exact }.map(\.base)
        let missing = (named(file.profile).map(\.pattern.base) + controls).filter { !seen.contains($0) }
        let slips = missing.compactMap { host in
            strangers.first { NearName.isSlip(host.text, $0.text) }.map { (host, $0) }
        }
        return slips.isEmpty ? nil : EarlyEnd(.nameSlip, hosts: slips.map(\.0), instead: slips.map(\.1))
    }

    /// Nobody asked for anything that has to be there. One of several hosts that stays away is in nobody's way but its own.
    ///
    /// Not known before the first start under `trusted-ca`: what is asked over another host's connection (RFC 9113 §9.1.1) is
    /// seen only where that one is read.
    private static func notVisited(_ file: CaseFile) -> EarlyEnd? {
        let wanted = file.profile.rules.filter { $0.required && $0.expect != .tunnel }.map(\.pattern)
        guard !wanted.isEmpty, !file.hosts.contains(where: { host in wanted.contains { $0.matches(host) } })
        else { return nil }
        return EarlyEnd(
            .notVisited, hosts: wanted.filter { $0.scope == .exact }.map(\.base),
            instead: Array(file.hosts.sorted().prefix(namedAtMost)))
    }

    /// COMMAND did well and asked for nothing, which an app does that kept what it had got untouched. Where it asked for
    /// anything, what that met may have kept it from the rest, and hosts that are attacked alone may yet come.
    private static func visitedOnce(_ file: CaseFile) -> EarlyEnd? {
        let trials = file.trials.filter { !$0.isPassthrough }
        let hosts = file.hosts
        let areEmpty = trials.allSatisfy { trial in
            trial.isComplete && trial.end?.exit != nil && !file.starts.hasFailed(trial.end)
                && trial.sightings.values.allSatisfy(\.isEmpty)
        }
        guard !trials.isEmpty, areEmpty, !hosts.isEmpty else { return nil }
        return EarlyEnd(.visitedOnce, hosts: Array(hosts.sorted().prefix(namedAtMost)))
    }

    /// Names that a line of evidence keeps of what was asked for.
    private static let namedAtMost = 16

    /// Every control that came refused the CA, and nothing else could show that the build trusts it.
    private static func untrusted(_ file: CaseFile, isJudgedBesides: Bool) -> EarlyEnd? {
        let profile = file.profile
        let attacked = profile.rules.filter { $0.expect == .refuse }
        guard !isJudgedBesides, !profile.onlyPins, profile.lent.values.allSatisfy({ $0.backupKey == nil }),
            attacked.allSatisfy(\.anchors.isEmpty)
        else { return nil }
        let trials = file.trials.filter { $0.attack == .trustedCA && $0.isComplete }
        let isTaken = trials.contains { $0.sightings.values.joined().contains { $0.showsTrust(of: .trustedCA) } }
        guard !isTaken else { return nil }
        let controls = file.hosts.filter(profile.isControl)
        let refusing = controls.filter { host in
            trials.contains { ($0.sightings[host] ?? []).contains(where: \.isRefusal) }
        }
        guard !controls.isEmpty, refusing.count == controls.count else { return nil }
        return EarlyEnd(.caNotTrusted, hosts: refusing.sorted())
    }
}

/// Names of hosts that were most likely meant to be the same.
enum NearName {
    /// One mistyped label of four letters or more, or `www.` before one of them. Numbers tell servers apart.
    static func isSlip(_ a: String, _ b: String) -> Bool {
        if a == "www." + b || b == "www." + a { return true }
        let (a, b) = (labels(a), labels(b))
        guard a.count == b.count else { return false }
        let unlike = zip(a, b).filter { $0 != $1 }
        guard unlike.count == 1, let (one, other) = unlike.first, max(one.count, other.count) >= 4,
            one.filter({ !isDigit($0) }) != other.filter({ !isDigit($0) })
        else { return false }
        return Nearest.distance(one, other) <= (max(one.count, other.count) >= 6 ? 2 : 1)
    }

    private static func labels(_ name: String) -> [[UInt8]] {
        name.utf8.split(separator: UInt8(ascii: ".")).map { Array($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
