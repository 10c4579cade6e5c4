import Console
import Facts
import Filters
import Flows
import Loop

/// Tells a person at the terminal of each exchange when it is over, and of what failed.
///
///        17  200 GET https://api.example.com/v1/users?limit=2  4.1 kB  41 ms
///        18  failed pay.example.com: the app does not trust the proxy's certificate (unknown_ca)
///            install the CA on the device …
///
/// The number is the one by which `pinproof flows show` has it; without a store there is none.
///
/// A terminal that is held (Ctrl-S) holds nothing else: lines wait on a thread of their own, and those for which there
/// is no room are counted.
package final class ExchangeLines: Sendable {
    private let console: Console
    private let thread: LoopThread<Void>
    private let waiting = Locked(Waiting())

    private struct Waiting {
        var count = 0
        var withheld = 0
        var muted = 0
    }

    /// Flows of which nothing is said.
    private let mutes: Filter?

    /// Lines that wait for the terminal: more than anybody reads.
    static let limit = 1000
    /// Of an address that is shown.
    static let urlLimit = 500

    private let isStored: Bool

    /// - Parameters:
    ///   - mutes: flows of which nothing is said; it is asked without their bodies, which are elsewhere by then.
    ///   - isStored: flows have numbers by which they can be found.
    package init(_ console: Console, mutes: Filter? = nil, isStored: Bool = true) throws {
        self.console = console
        self.isStored = isStored
        self.mutes = mutes
        thread = try LoopThread(name: "terminal") { _ in }
    }

    /// Says what is left; a terminal that is held is waited for no longer than a moment.
    package func stop() {
        let isTold = Alarm()
        thread.stop { _ in isTold.ring() }
        isTold.sleep(seconds: Self.lastWords)
    }

    /// Seconds.
    private static let lastWords = 1.0

    /// Takes what a recorder tells, from its thread.
    package func note(_ changes: [FlowChange]) {
        for case .flow(let flow) in changes where flow.state != .open {
            if mutes?.matches(flow, NoContent()) == true { waiting.withLock { $0.muted += 1 } } else { say(flow) }
        }
    }

    /// Flows of which nothing was said.
    package var muted: Int { waiting.withLock { $0.muted } }

    private func say(_ flow: Flow) {
        let line = text(flow)
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < Self.limit else {
                waiting.withheld += 1
                return false
            }
            waiting.count += 1
            return true
        }
        guard isTaken else { return }
        thread.submit { [self] _ in
            let withheld = waiting.withLock { waiting in
                waiting.count -= 1
                defer { waiting.withheld = 0 }
                return waiting.withheld
            }
            if withheld > 0 { console.say("\(withheld) more were not shown: the terminal was too slow") }
            console.say(line)
        }
    }

    func text(_ flow: Flow) -> String { (isStored ? FlowLine.number(flow.id) + "  " : "") + Self.line(flow) }

    /// One flow; a failure has its hint on a line below.
    static func line(_ flow: Flow) -> String {
        let client = flow.client.name.map { "\($0)  " } ?? ""
        if flow.kind == .tunnel {
            let end = flow.failure.map { "  (\($0.text))" } ?? (flow.state == .aborted ? "  (cut off)" : "")
            return Printable.escaped("tunnel \(client)\(host(flow))  \(ByteCount.text(flow.shownSize))" + end)
        } else if let failure = flow.failure, flow.method == nil {
            let hint = failure.hint.map { "\n       " + Printable.escaped($0) } ?? ""
            return Printable.escaped("failed \(client)\(failure.text)") + hint
        }
        // Of an exchange that was answered in part, the reason says enough.
        let hint = flow.status == nil ? flow.failure?.hint.map { "\n       " + Printable.escaped($0) } : nil
        return Printable.escaped(client + exchange(flow)) + (hint ?? "")
    }

    private static func exchange(_ flow: Flow) -> String {
        let status = flow.status.map(String.init) ?? (flow.kind == .raw ? "raw" : "---")
        let url = flow.url.map { $0.count > urlLimit ? $0.prefix(urlLimit) + "…" : $0[...] } ?? Substring(host(flow))
        let size =
            flow.kind == .websocket ? "\(flow.messages) messages" : ByteCount.text(flow.shownSize)
        var line = "\(status) \(flow.method.map { $0 + " " } ?? "")\(url)  \(size)"
        if let duration = flow.durationMS { line += "  " + Milliseconds.text(duration) }
        if let undecodable = flow.undecodable {
            line += "  (not decodable from byte \(undecodable.at): \(undecodable.why))"
        } else if let failure = flow.failure {
            line += "  (\(failure.text))"
        } else if flow.state == .aborted {
            line += "  (cut off)"
        }
        return line
    }

    private static func host(_ flow: Flow) -> String {
        guard let host = flow.server.host else { return flow.server.address ?? "no host" }
        return flow.server.port.map { "\(host):\($0)" } ?? host
    }
}

extension Flow {
    /// The answer's body; of what has no answers, everything.
    var shownSize: Int {
        let down = response?.body?.size ?? 0
        return kind == .tunnel || kind == .raw ? down + (request?.body?.size ?? 0) : down
    }
}

/// A number of bytes for people: `120 B`, `4.1 kB`, `1.2 MB`.
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            if value < 999.5 || unit == "GB" { return "\(Decimal.text(value)) \(unit)" }
        }
        return "\(bytes) B"
    }
}

/// A duration for people: `0.4 ms`, `41 ms`, `3.1 s`, `2m 4s`.
enum Milliseconds {
    static func text(_ milliseconds: Double) -> String {
        let milliseconds = milliseconds.isNaN ? 0 : milliseconds
        if milliseconds < 999.5 { return "\(Decimal.text(milliseconds)) ms" }
        let seconds = milliseconds / 1000
        if seconds < 99.5 { return "\(Decimal.text(seconds)) s" }
        let whole = Int(min(seconds.rounded(), 1e9))
        return "\(whole / 60)m \(whole % 60)s"
    }
}

/// One decimal below ten, none above.
private enum Decimal {
    static func text(_ value: Double) -> String {
        let value = value.isNaN ? 0 : max(0, min(value, 1e15))
        guard value < 9.95 else { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
