import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the terminal at the other end can show and give.
enum Terminal {
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// stdout is a terminal that knows colours, and nobody asked for none (no-color.org).
    static var hasColor: Bool {
        isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// By the first variable that decides the locale's character set.
    static var hasUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return locale.lowercased().contains("utf")
    }

    /// Somebody can press Enter.
    static var hasInput: Bool { isatty(STDIN_FILENO) == 1 }

    static var processors: Int { ProcessInfo.processInfo.activeProcessorCount }
}
