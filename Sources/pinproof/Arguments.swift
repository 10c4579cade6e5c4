import ArgumentParser
import Facts
import Report

/// `json,junit,…` of `--format`; read later, so that a wrong word gets our own message.
struct FormatList: ExpressibleByArgument, Sendable {
    let text: String

    init(argument: String) { text = argument }
    var defaultValueDescription: String { text }

    static let standard = FormatList(argument: ReportFormat.standard.map(\.rawValue).joined(separator: ","))

    /// What may stand in it.
    static var known: String { ReportFormat.names }

    func formats() throws(ReportError) -> [ReportFormat] { try ReportFormat.parse(list: text) }
}

/// `HOST:PORT` of `--listen`.
enum ListenArgument {
    static func endpoint(_ text: String) throws -> Endpoint {
        guard let endpoint = Endpoint(text) else {
            throw ValidationError("--listen: \"\(text)\" is not HOST:PORT, such as 127.0.0.1:8080 or [::1]:0")
        }
        return endpoint
    }
}

/// Values outside of these are slips of the hand.
enum Limits {
    /// The profile's `cold_starts` has the same.
    static let coldStarts = 1...1000
    static let loops = 1...256
    /// A day.
    static let longest = 86_400.0

    static func check(_ name: String, _ seconds: Double?) throws {
        guard let seconds, !(seconds > 0 && seconds <= longest) else { return }
        throw ValidationError("\(name) is above 0 and at most \(Int(longest)) seconds")
    }

    static func check(_ name: String, _ count: Int?, in range: ClosedRange<Int>) throws {
        guard let count, !range.contains(count) else { return }
        throw ValidationError("\(name) is from \(range.lowerBound) to \(range.upperBound)")
    }
}
