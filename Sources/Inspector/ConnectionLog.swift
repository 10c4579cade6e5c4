import Console
import Facts
import Loop

/// Tells a person what crosses the debugging proxy, and why an origin could not be used.
///
/// With `-v` every connection is a line, when it is over. Otherwise only origins that fail are told, so that nobody
/// has to guess why a page stays empty; each host and reason once a minute, whoever asks how often.
final class ConnectionLog: Sendable {
    private let console: Console
    private let now: @Sendable () -> Double
    private let told = Locked(Told())

    /// - Parameter now: seconds, of a clock that does not go backwards.
    init(_ console: Console, now: @escaping @Sendable () -> Double = { MonotonicClock.now }) {
        self.console = console
        self.now = now
    }

    /// Takes a connection that is over, from any thread.
    func note(_ connection: Observation) {
        if console.loudness >= .verbose { return console.detail(Self.line(connection)) }
        guard console.loudness >= .normal, let reason = Self.originFault(connection) ?? Self.refusal(connection)
        else { return }
        let line = Self.printable("\(Self.name(connection)): \(reason)")
        let now = now()
        // Said outside of the lock: a terminal may take its time.
        switch told.withLock({ $0.admit(line, now) }) {
        case .no: return
        case .yes(let withheld):
            if withheld > 0 { console.say("\(withheld) more origins' faults were not shown") }
            console.say("warning: " + line)
        }
    }

    /// `api.example.com  intercepted, 412 bytes up, 1024 down`, and what was wrong.
    static func line(_ connection: Observation) -> String {
        let action = connection.action == .none ? "ended" : connection.action.rawValue
        let client = connection.clientName.map { "\($0)  " } ?? ""
        var line =
            client + "\(name(connection))  \(action), \(connection.bytesUp) bytes up, \(connection.bytesDown) down"
        if let alert = connection.alerts.first(where: { $0.from == .client && $0.isFatal }) {
            line += ", the client answered \(alert.name)"
        }
        switch connection.credentials {
        case .missing: line += ", without the proxy credentials it was asked for"
        case .unknown: line += ", with proxy credentials that are no client's"
        case nil: break
        }
        if let reason = originFault(connection) ?? connection.error { line += ": \(reason)" }
        return printable(line)
    }

    private static func name(_ connection: Observation) -> String {
        connection.host?.text ?? connection.target?.description ?? "no host"
    }

    /// Why the proxy itself does not do what a client wants: a loop, a stranger, something that is no request.
    private static func refusal(_ connection: Observation) -> String? {
        guard connection.action == .none, let error = connection.error else { return nil }
        return error + (connection.clientEndpoint.map { " (client \($0.host))" } ?? "")
    }

    /// Why the origin could not be used, and what helps where it is merely unknown.
    private static func originFault(_ connection: Observation) -> String? {
        guard let upstream = connection.upstream, let error = upstream.error else { return nil }
        let isUnknown = !upstream.verified && !upstream.chain.isEmpty
        return (connection.error ?? error) + (isUnknown ? " (a root of its own goes under upstream.roots)" : "")
    }

    /// Names and reasons come from the network.
    private static func printable(_ text: String) -> String {
        // Escaping makes at most ten characters of one.
        Printable.escaped(String(text.unicodeScalars.prefix(lengthLimit).map(Character.init)))
    }

    /// A host name has 253 characters, our reasons fewer.
    private static let lengthLimit = 500
}

extension ConnectionLog {
    /// Which lines were told in the last minute.
    struct Told {
        enum Admission: Equatable {
            case no
            /// - Parameter withheld: other lines that found no room since the last one that was told.
            case yes(withheld: Int)
        }

        /// More origins than these failing within a minute are a network that is down, or a client that makes up
        /// names: neither becomes clearer by another line, and memory stays below a megabyte.
        static let limit = 128
        static let period = 60.0

        private var times: [String: Double] = [:]
        private var withheld = 0

        var count: Int { times.count }

        mutating func admit(_ line: String, _ now: Double) -> Admission {
            if let last = times[line], now - last < Self.period { return .no }
            if times.count >= Self.limit { times = times.filter { now - $0.value < Self.period } }
            guard times.count < Self.limit else {
                withheld += 1
                return .no
            }
            times[line] = now
            defer { withheld = 0 }
            return .yes(withheld: withheld)
        }
    }
}
