import Loop

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the terminal at the other end can show and give.
package enum Terminal {
    /// As the program was started with: it never changes its own.
    package static let environment = ProcessInfo.processInfo.environment

    /// stdout shows colours, or somebody says that it does.
    package static var hasColor: Bool { hasColor(on: .output) }

    package static func hasColor(on stream: StandardStream) -> Bool {
        hasColor(isTerminal: stream.isTerminal, environment)
    }

    /// By what people have agreed on: `NO_COLOR` (no-color.org) before `FORCE_COLOR` (force-color.org) and
    /// `CLICOLOR_FORCE`, these before `CLICOLOR` (bixense.com/clicolors), and all before what the terminal is.
    static func hasColor(isTerminal: Bool, _ environment: [String: String]) -> Bool {
        func word(_ name: String) -> String { environment[name] ?? "" }
        if !word("NO_COLOR").isEmpty { return false }
        // Many programs read 0 as off, and nobody writes it to have colours.
        let forced = word("FORCE_COLOR")
        if !forced.isEmpty { return forced != "0" && forced != "false" }
        if !["", "0"].contains(word("CLICOLOR_FORCE")) { return true }
        return isTerminal && word("CLICOLOR") != "0" && word("TERM") != "dumb"
    }

    /// What `COLUMNS` says, else what the terminal does; nil where neither does.
    package static func columns(of stream: StandardStream) -> Int? {
        columns(said: environment["COLUMNS"], measured: stream.columns)
    }

    /// Narrower is a slip, and wider is no terminal.
    private static let widths = 20...1000

    static func columns(said: String?, measured: Int?) -> Int? {
        [said.flatMap { Int($0) }, measured].compactMap(\.self).first { widths.contains($0) }
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
