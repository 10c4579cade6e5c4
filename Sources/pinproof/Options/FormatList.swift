import ArgumentParser
import Report

/// `json,junit,…` of `--format`; read later, so that a wrong word gets our own message.
struct FormatList: ExpressibleByArgument, Sendable {
    let text: String

    init(argument: String) { text = argument }
    var defaultValueDescription: String { text }

    static let standard = FormatList(argument: ReportFormat.standard.map(\.rawValue).joined(separator: ","))

    /// What may stand in it.
    static var known: String { ReportFormat.names }

    /// What several `--format` name together; nil for none.
    init?(_ lists: [FormatList]) {
        guard !lists.isEmpty else { return nil }
        text = lists.map(\.text).joined(separator: ",")
    }

    func formats() throws(ReportError) -> [ReportFormat] { try ReportFormat.parse(list: text) }
}
