import Verdict

/// What to do next about one kind of gap, and the hosts that have it.
package struct Advice: Hashable, Sendable {
    /// The word of `missing`, or the verdict where nothing in particular is missing.
    package let topic: String
    package let text: String
    /// What was seen that it is about, a line each.
    package private(set) var seen: [String]
    package private(set) var hosts: [String]

    /// For one host.
    struct Step: Hashable {
        var topic: String
        var text: String
        var seen: [String] = []
    }

    /// What a reader of this judgement should do, in the order of the hosts, each sentence once.
    package static func entries(for judgement: Judgement) -> [Advice] {
        var entries: [Advice] = []
        func add(_ step: Step, _ host: String) {
            if let index = entries.firstIndex(where: { $0.topic == step.topic && $0.text == step.text }) {
                if !entries[index].hosts.contains(host) { entries[index].hosts.append(host) }
                entries[index].seen += step.seen.filter { !entries[index].seen.contains($0) }
            } else {
                entries.append(Advice(topic: step.topic, text: step.text, seen: step.seen, hosts: [host]))
            }
        }
        // What ended the run explains all that is missing from it.
        if let early = judgement.ending, let text = EarlyAdvice.text(early, judgement) {
            add(Step(topic: early.reason.rawValue, text: text, seen: EarlyAdvice.seen(early, judgement)), "the run")
        }
        // Nothing that a host lacks is to be mended in a run that supports no verdict.
        if judgement.fault != nil {
            add(Step(topic: VerdictWord.invalidEnvironment.rawValue, text: withdrawn), "the run")
        }
        let isOver = judgement.fault != nil || judgement.ending != nil
        let hosts = isOver ? judgement.hosts.filter { $0.standing == .contradicted } : judgement.hosts
        let isCut = isCut(judgement)
        for host in hosts where isCut && mayHaveCome(host) {
            add(Step(topic: Missing.run.name, text: MissingAdvice.text(for: .run)), host.label)
        }
        for verdict in Summary.worstFirst(hosts)
        where !isUnseenOption(verdict, judgement.result) && !(isCut && mayHaveCome(verdict)) {
            for step in steps(for: verdict, in: judgement) { add(step, verdict.label) }
        }
        if judgement.fault == nil, judgement.ending != nil {
            for verdict in Summary.worstFirst(judgement.hosts) where isOpen(verdict) {
                for step in seenSteps(for: verdict, in: judgement) { add(step, verdict.label) }
            }
        }
        let told = judgement.ending?.reason.rawValue
        for finding in judgement.findings where finding.severity != .note && finding.waived == nil && finding.id != told
        {
            guard let text = FindingAdvice.text(for: finding.id) else { continue }
            add(Step(topic: finding.id, text: text), finding.host ?? "the run")
        }
        return entries
    }

    /// The next steps for one host of a judgement: what ended the run early explains what the run did not come to.
    static func steps(for host: HostVerdict, in judgement: Judgement) -> [Step] {
        guard isOpen(host), let early = judgement.ending, let text = EarlyAdvice.text(early, judgement) else {
            return steps(for: host, isCut: isCut(judgement)).map { ofShards($0, judgement) }
        }
        return [Step(topic: early.reason.rawValue, text: text, seen: EarlyAdvice.seen(early, judgement))]
            + seenSteps(for: host, in: judgement)
    }

    /// What was seen of a host before the run was ended, and that no longer run would mend.
    private static func seenSteps(for host: HostVerdict, in judgement: Judgement) -> [Step] {
        var host = Summary.told(host, in: judgement)
        host.missing.removeAll { $0 == .trustControl }
        return host.missing.isEmpty ? [] : gaps(of: host, isCut: false)
    }

    private static func isOpen(_ host: HostVerdict) -> Bool { host.standing == .unproven || host.standing == .invalid }

    private static func isCut(_ judgement: Judgement) -> Bool {
        judgement.findings.contains { $0.id == "interrupted" }
    }

    /// A share of the plan that was not handed over is no run that was cut.
    private static func ofShards(_ step: Step, _ judgement: Judgement) -> Step {
        let id = "shard-missing"
        guard step.topic == Missing.run.name, judgement.findings.contains(where: { $0.id == id }),
            let text = FindingAdvice.text(for: id)
        else { return step }
        return Step(topic: id, text: text, seen: step.seen)
    }

    /// The next steps for one host: by what is missing, else by the verdict; then by what was found besides.
    ///
    /// - Parameter isCut: a run that did not come to its end is why `run` is missing.
    static func steps(for host: HostVerdict, isCut: Bool = true) -> [Step] {
        let steps = verdictSteps(for: host, isCut: isCut)
        var told = Set(host.missing.map(\.name)).union(steps.map(\.topic))
        if host.missing.contains(MissingAdvice.fallback) { told.insert("leak-after-refusal") }
        return steps
            + host.findings.compactMap { finding in
                guard isTold(finding, at: host), !told.contains("finding:\(finding.id)"),
                    let text = FindingAdvice.text(for: finding.id), told.insert(finding.id).inserted
                else { return nil }
                return Step(topic: finding.id, text: text)
            }
    }

    /// Notes that explain a refusal are worth a step while the refusal is unproven.
    private static func isTold(_ finding: Finding, at host: HostVerdict) -> Bool {
        finding.waived == nil
            && (finding.severity != .note || host.standing == .unproven || finding.id == "local-anchors")
    }

    private static func verdictSteps(for host: HostVerdict, isCut: Bool) -> [Step] {
        let word = host.verdict.rawValue
        switch host.standing {
        case .met: return []
        case .contradicted:
            return host.verdict == .notPinned
                ? WeaknessAdvice.texts(for: host).map { Step(topic: word, text: $0) }
                : [Step(topic: word, text: words(host.verdict, host))]
        case .invalid, .unproven:
            if !host.missing.isEmpty { return gaps(of: host, isCut: isCut) }
            guard host.verdict == .notExercised else {
                return [Step(topic: word, text: words(host.verdict, host))]
            }
            let step = Step(
                topic: word, text: words(host.verdict, host),
                seen: CircumstanceWords.controls(host))
            return [withContacts(step, host)]
        }
    }

    /// Where a person went through the phases there is no COMMAND to mend.
    private static func words(_ verdict: VerdictWord, _ host: HostVerdict) -> String {
        if host.seen.isByHand, let text = HandAdvice.text(for: verdict) { return text }
        guard verdict == .notExercised else { return MissingAdvice.text(for: verdict, host.subtype) }
        return MissingAdvice.notExercised(host.seen.silence)
    }

    /// A host that did not come in every start may have been kept away by what the app remembers of another.
    private static func withContacts(_ step: Step, _ host: HostVerdict) -> Step {
        guard host.seen.contacts != nil else { return step }
        var step = step
        step.text += " " + MissingAdvice.clearState
        step.seen += CircumstanceWords.contacts(host)
        return step
    }

    /// An optional host that nobody asked for, where all else is proven: there is nothing to do.
    private static func isUnseenOption(_ host: HostVerdict, _ result: Judgement.Result) -> Bool {
        !host.required && host.verdict == .notExercised && result == .pass
    }

    /// All attacks that were not seen refused in one step; of a run that did not come to its end only what was seen in it.
    private static func gaps(of verdict: HostVerdict, isCut: Bool) -> [Step] {
        var host = verdict
        if isCut, host.missing.contains(.run) {
            host.missing.removeAll { MissingAdvice.isOfRest($0, of: verdict) }
        }
        let attacks = host.missing.compactMap(MissingAdvice.unrefused)
        var areTold = false
        var steps: [Step] = []
        let lacksTrust = lacksTrust(host)
        if lacksTrust, let text = FindingAdvice.text(for: untrustedCA) {
            steps.append(Step(topic: untrustedCA, text: text, seen: CircumstanceWords.controls(host)))
        }
        for missing in host.missing.filter({ $0 == .run }) + host.missing.filter({ $0 != .run }) {
            // The same thing under two names: it is told once.
            if missing == .finding("leak-after-refusal"), host.missing.contains(MissingAdvice.fallback) { continue }
            // A CA that the app trusts is needed first, and may be all.
            if lacksTrust, [.trustControl, .attackedAlone, .coldStarts].contains(missing) { continue }
            if MissingAdvice.unrefused(missing) != nil {
                guard !areTold else { continue }
                areTold = true
                steps.append(
                    Step(
                        topic: attacks.count == 1 ? missing.name : "attacks",
                        text: MissingAdvice.text(
                            forUnrefused: attacks, isUnmet: host.seen.unmet != nil || host.seen.unmetStack != nil),
                        seen: CircumstanceWords.unmet(host)))
            } else if missing == .trustControl, isKeptFromCounting(host) {
                // What kept the refusals from counting is told with `attacked-alone`.
                continue
            } else if missing == .trustControl {
                // Where fewer refused than were asked for, more of them would not help.
                let isSingle = host.coldStarts < 2 && !host.missing.contains(.coldStarts)
                steps.append(
                    Step(
                        topic: missing.name,
                        text: host.seen.controls.contains { $0.fate == .otherAnchors }
                            ? MissingAdvice.ownAnchors : MissingAdvice.trustControl(needsColdStarts: isSingle),
                        seen: CircumstanceWords.controls(host)))
            } else if missing == .attackedAlone {
                let isToldBefore = steps.contains { $0.topic == Missing.trustControl.name }
                let isOfControls = host.seen.company?.kind == .controls && !isToldBefore
                steps.append(
                    Step(
                        topic: missing.name, text: MissingAdvice.attackedAlone(host.seen.company),
                        seen: isOfControls ? CircumstanceWords.controls(host) : []))
            } else {
                let text = host.seen.isByHand ? HandAdvice.text(for: missing) : nil
                steps.append(Step(topic: missing.name, text: text ?? MissingAdvice.text(for: missing)))
            }
            // Once: it explains whatever was not met.
            if isAboutAbsence(missing), !steps.isEmpty,
                !steps.contains(where: { $0.text.hasSuffix(MissingAdvice.clearState) })
            {
                steps[steps.count - 1] = withContacts(steps[steps.count - 1], host)
            }
        }
        return steps
    }

    /// Hosts that nobody pins refused the CA just as this one did: no other control would help.
    private static func lacksTrust(_ host: HostVerdict) -> Bool {
        host.missing.contains(.trustControl) && host.findings.contains { $0.id == untrustedCA }
    }

    private static let withdrawn = "Repair what the result names, and run again: it says nothing of the app."

    /// Had the run not been interrupted.
    private static func mayHaveCome(_ host: HostVerdict) -> Bool { host.required && host.verdict == .notExercised }

    private static let untrustedCA = "platform-default-refusal"

    /// The CA was taken by the very controls that were not served, so that it is not trust that has to be shown.
    private static func isKeptFromCounting(_ host: HostVerdict) -> Bool {
        guard host.missing.contains(.attackedAlone), let company = host.seen.company, company.kind == .controls else {
            return false
        }
        return host.seen.controls.filter { company.hosts.contains($0.control) }.allSatisfy(\.tookCA)
    }

    private static func isAboutAbsence(_ missing: Missing) -> Bool {
        switch missing {
        case .coldStarts, .passthroughBefore, .passthroughBetween, .passthroughAfter: true
        default: MissingAdvice.unrefused(missing) != nil
        }
    }
}
