import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the terminal at the other end can show and give.
package enum Terminal {
    package static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// stdout is a terminal that knows colours, and nobody asked for none (no-color.org).
    package static var hasColor: Bool { hasColor(on: .output) }

    package static func hasColor(on stream: StandardStream) -> Bool {
        stream.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// By the first variable that decides the locale's character set.
    package static var hasUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return locale.lowercased().contains("utf")
    }

    /// Somebody can press Enter.
    package static var hasInput: Bool { StandardStream.input.isTerminal }

    package static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }
}
