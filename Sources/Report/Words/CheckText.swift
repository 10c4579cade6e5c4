import Facts
import Policy
import Verdict

/// What `pinproof check` prints: what two starts show of a set-up, and what to mend.
package struct CheckText {
    package let look: FirstLook
    package let profile: Profile
    /// Starts of the whole gate, as things look and at most.
    package let typical: Int
    package let worst: Int
    package var isInterrupted = false
    package let folder: String

    package init(
        look: FirstLook, profile: Profile, typical: Int, worst: Int, isInterrupted: Bool = false, folder: String
    ) {
        self.look = look
        self.profile = profile
        self.typical = typical
        self.worst = worst
        self.isInterrupted = isInterrupted
        self.folder = folder
    }

    /// 0: the gate can work here; 3: a host cannot be tested on this machine; 2: something else is missing.
    package var status: Int32 {
        if problems.isEmpty { return 0 }
        return problems.contains { $0.isEnvironment } ? 3 : 2
    }

    package var text: String {
        let type = TerminalText()
        var lines: [String] = []
        for (name, words) in facts {
            let wrapped = type.wrap(words, Self.columns - 10)
            lines += wrapped.enumerated().map { ($0.offset == 0 ? name : "").padded(to: 10) + $0.element }
        }
        lines.append("")
        if problems.isEmpty {
            let open = look.hosts.filter { $0.role == .refuse && $0.forged == .accepted }.map(\.name.text)
            lines.append("ready: the gate can give a verdict here")
            if !open.isEmpty {
                let verb = open.count == 1 ? "takes" : "take"
                lines += type.wrap(
                    "\(CourseWords.named(open)) \(verb) the CA, so the gate is going to find no pin there", Self.columns
                )
            }
        } else {
            lines.append("not ready: \(English.count(problems.count, "thing")) to do")
            for problem in problems {
                lines += type.wrap(problem.text, Self.columns - 4).enumerated().map {
                    ($0.offset == 0 ? "  - " : "    ") + $0.element
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What fits any terminal.
    private static let columns = 80

    // MARK: what was seen

    private var facts: [(String, String)] {
        var facts = [("proxy", look.connections == 0 ? "not used: nothing came through it" : proxyWords)]
        for (index, stack) in look.stacks.enumerated() { facts.append((index == 0 ? "stacks" : "", words(stack))) }
        for trap in traps { facts.append(("", "note: \(trap)")) }
        facts.append(("CA", trustWords))
        for (index, host) in look.hosts.enumerated() { facts.append((index == 0 ? "hosts" : "", words(host))) }
        switch look.past {
        case nil: facts.append(("past it", "nobody looked (as root on Linux, --watch-network does)"))
        case 0: facts.append(("past it", "nothing that was seen"))
        case let count?: facts.append(("past it", "\(English.count(count, "flow")) (evidence.jsonl has them)"))
        }
        if let seconds = look.secondsPerStart, look.early == nil {
            facts.append(
                (
                    "time",
                    "a start takes \(Summary.duration(seconds)): the whole gate about "
                        + "\(Summary.duration(seconds * Double(typical))) (\(typical) starts), and at most "
                        + "\(Summary.duration(seconds * Double(worst))) (\(worst))"
                        + (look.ends.contains(where: \.timedOut)
                            ? "; COMMAND did not end by itself, and was ended each time (`--attempt-timeout`)" : "")
                ))
        }
        facts.append(("run", folder))
        return facts
    }

    private var proxyWords: String {
        "used: \(English.count(look.connections, "connection")) in \(English.count(look.ends.count, "start"))"
    }

    private func words(_ stack: FirstLook.Stack) -> String {
        let versions = stack.versions.map { "\($0)" }.joined(separator: ", ")
        let alpn = stack.alpn.isEmpty ? "no ALPN" : stack.alpn.joined(separator: ", ")
        return "\(StackName.words(stack.names) ?? SeenStack.unknown) (\(versions); \(alpn)"
            + (stack.ja4.isEmpty ? "): " : "; JA4 \(stack.ja4)): ") + CourseWords.named(stack.hosts.map(\.text))
            + (stack.trustsCA ? "; trusts the CA" : "")
    }

    /// Of the stacks that came for a host that should refuse, each once.
    private var traps: [String] {
        let pinned = Set(look.hosts.filter { $0.role == .refuse }.map(\.name))
        var out: [String] = []
        for stack in look.stacks where !pinned.isDisjoint(with: stack.hosts) {
            for trap in StackGuide.traps(of: stack.names) where !out.contains(trap) { out.append(trap) }
        }
        return out
    }

    private var trustWords: String {
        let taken = look.hosts.filter { $0.forged == .accepted }.map(\.name.text)
        if !taken.isEmpty { return "trusted: \(CourseWords.named(taken)) took it" }
        let refused = look.hosts.filter { if case .refused = $0.forged { true } else { false } }.map(\.name.text)
        return refused.isEmpty
            ? "nobody was shown it" : "not seen to be trusted: \(CourseWords.named(refused)) refused it"
    }

    private func words(_ host: FirstLook.Host) -> String {
        let expected =
            switch host.role {
            case .refuse: "refuse"
            case .accept: "accept"
            case .control: "control"
            case .tunnel: "tunnel"
            case .undeclared: "not in the profile"
            }
        let parts = [words(host.untouched), words(host.forged), host.origin.map(words)].compactMap(\.self)
        return "\(host.name.text) (\(expected)): " + parts.filter { !$0.isEmpty }.joined(separator: "; ")
            + (host.hasPin == false ? "; none of the profile's pins is in its chain" : "")
    }

    private func words(_ untouched: FirstLook.Host.Untouched) -> String {
        switch untouched {
        case .notAskedFor: "not asked for untouched"
        case .data: "works untouched"
        case .failed(let reason): "fails untouched" + (reason.map { " (\($0))" } ?? "")
        case .clear: "asked in the clear alone"
        }
    }

    private func words(_ forged: FirstLook.Host.Forged) -> String {
        switch forged {
        case .notAskedFor, .untouched: ""
        case .accepted: "accepts the CA"
        case .refused(let alert): "refuses the CA (\(alert ?? "without a word"))"
        case .notServed(let reason): "could not be forged (\(reason))"
        case .undecided: "neither accepts the CA nor refuses it"
        }
    }

    private func words(_ origin: Observation.Upstream) -> String {
        if origin.error != nil { return "" }
        let pin = origin.spki.first.map { ", leaf's pin sha256/\($0)" } ?? ""
        return (origin.verified ? "its server verifies" : "its server does not verify")
            + " (\(English.count(origin.chain.count, "certificate"))\(pin))"
    }
}
