import Facts
import Verdict

/// The TLS stacks that came for a host, by their names where they have one.
struct SeenStacks {
    /// An app has a few; a hello of its own for each connection is somebody's experiment.
    static let limit = 8

    private var stacks: [JudgedHosts.Key: [SeenStack]] = [:]
    private let hosts: [HostVerdict]

    init(_ input: ReportInput) {
        hosts = input.judgement.hosts
        let known = JudgedHosts(input.judgement)
        for run in input.runs {
            for case .connection(let seen) in run.records.lazy.map(\.record) where seen.observation.trial > 0 {
                guard let hello = seen.observation.hello, !hello.stack.isEmpty else { continue }
                for key in known.keys(of: seen.observation, named: true) { add(hello, to: key) }
            }
        }
    }

    private mutating func add(_ hello: HelloFacts, to key: JudgedHosts.Key) {
        var list = stacks[key, default: []]
        if let index = list.firstIndex(where: { $0.stack == hello.stack }) {
            list[index].connections += 1
        } else if list.count < Self.limit {
            list.append(SeenStack(stack: hello.stack, names: hello.likelyStacks, ja4: hello.ja4, connections: 1))
        }
        stacks[key] = list
    }

    /// In the order in which they came.
    func stacks(of host: HostVerdict) -> [SeenStack] { stacks[JudgedHosts.Key(host)] ?? [] }

    /// `"OpenSSL (api.test), unknown (cdn.test)"`; nil where no name is known.
    var line: String? {
        var order: [String] = []
        var named: [String: [String]] = [:]
        for host in hosts {
            for title in stacks(of: host).map(\.title) {
                if named[title] == nil { order.append(title) }
                if !named[title, default: []].contains(host.label) { named[title, default: []].append(host.label) }
            }
        }
        guard order.contains(where: { $0 != SeenStack.unknown }) else { return nil }
        return order.map { "\($0): \(CourseWords.named(named[$0] ?? []))" }.joined(separator: "; ")
    }

    /// Where hosts that should refuse have not been shown to: the traps of what came for them, each once.
    var traps: [String] {
        var out: [String] = []
        for host in hosts where host.expect == .refuse && host.standing != .met {
            for trap in stacks(of: host).flatMap(\.traps) where !out.contains(trap) { out.append(trap) }
        }
        return out
    }
}

/// Connections of one TLS stack.
struct SeenStack: Hashable {
    static let unknown = "unknown"

    /// `HelloFacts.stack`.
    var stack: String
    /// One, candidates, or none.
    var names: [StackName]
    /// Of its first connection.
    var ja4: String
    var connections: Int

    var title: String { StackName.words(names) ?? Self.unknown }
    var traps: [String] { StackGuide.traps(of: names) }
}

extension JSONReport {
    /// Only where stacks were seen.
    static func write(_ stacks: [SeenStack], to json: inout JSONWriter) {
        guard !stacks.isEmpty else { return }
        json.key("stacks")
        json.beginArray()
        for stack in stacks {
            json.beginObject()
            json.field("names", stack.names.map(\.rawValue))
            json.field("ja4", stack.ja4)
            json.field("connections", stack.connections)
            json.field("traps", stack.traps, inline: false)
            json.endObject()
        }
        json.endArray()
    }
}
