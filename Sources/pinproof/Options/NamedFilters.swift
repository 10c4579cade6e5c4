import ArgumentParser
import Console
import Facts
import Filters
import Inspector
import Loop
import Profiles

/// What `filter:NAME` stands for: filters of a profile, and those that were saved.
struct NamedFilters: ParsableArguments {
    @Option(help: ArgumentHelp("A profile, for its filters and mutes.", valueName: "file"))
    var profile: String?

    /// The profile's come first.
    func book() throws -> FilterBook {
        try ofProfile().joined(with: try saved())
    }

    func ofProfile() throws -> FilterBook {
        guard let profile else { return FilterBook() }
        let loaded = try ProfileLoader.load(path: profile)
        try ProfileFilters.check(loaded, now: WallClock.now)
        return ProfileFilters.book(of: loaded)
    }

    /// A user without a home has saved none.
    func saved() throws -> FilterBook {
        guard let path = try? Self.savedPath else { return FilterBook() }
        return try SavedFilters(path).read()
    }

    static var savedPath: String {
        get throws { try DataFolder(environment: Terminal.environment).file("filters.json") }
    }

    static func words(ofMuted count: Int) -> String { "\(English.count(count, "flow")) muted; --muted shows them" }
}

/// `pinproof flows filters`: what has been saved under a name.
struct FiltersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filters",
        abstract: "Filters with names: list, save and remove them.",
        discussion: """
            filter:NAME stands for a saved filter in any other. A mute is a filter whose flows are left out of list, \
            follow and the proxy's lines, never out of the record or an export.

            EXAMPLES
              pinproof flows filters save errors 'status:>=400 or is:failed'
              pinproof flows filters save --mute pictures type:image/*
              pinproof flows list filter:errors
              pinproof flows filters remove errors
            """,
        subcommands: [Shown.self, Save.self, Remove.self], defaultSubcommand: Shown.self)

    struct Shown: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Names, and what they stand for.",
            usage: "pinproof flows filters [list] [--profile <file>]")

        @OptionGroup var named: NamedFilters
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let (profile, saved) = (try named.ofProfile(), try named.saved())
            let rows =
                Self.rows(profile, "profile", hiddenBy: FilterBook()) + Self.rows(saved, "saved", hiddenBy: profile)
            guard !rows.isEmpty else {
                output.console.say("no filter has a name; pinproof flows filters save NAME FILTER gives it one")
                throw ExitCode(ExitStatus.fail.rawValue)
            }
            let width = rows.map(\.name.count).max() ?? 0
            let lines = rows.map { row in
                row.name + String(repeating: " ", count: width - row.name.count) + "  \(row.about)  "
                    + Printable.escaped(row.text)
            }
            _ = try await untilClosed { try output.console.result(lines.joined(separator: "\n") + "\n") }
        }

        private static func rows(
            _ book: FilterBook, _ origin: String, hiddenBy other: FilterBook
        ) -> [(name: String, about: String, text: String)] {
            let place = { (name: String) in other[name] == nil ? origin : "\(origin), hidden by the profile's" }
            return book.filters.map { ($0.name, "filter (\(place($0.name)))", $0.text) }
                + book.mutes.map { ($0.name, "mute   (\(place($0.name)))", $0.text) }
        }
    }

    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save", abstract: "Give a filter a name.",
            usage: "pinproof flows filters save [--mute] <name> <filter>")

        @Flag(help: "Its flows are not shown unless they are asked for.")
        var mute = false

        @Argument(help: "Letters, digits and . _ -")
        var name: String

        @Argument(help: "Which flows.")
        var filter: [String]

        @OptionGroup var named: NamedFilters
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let data = try DataFolder(environment: Terminal.environment)
            try data.make()
            let before = try SavedFilters(try NamedFilters.savedPath).save(
                name, filter.joined(separator: " "), isMute: mute, beside: named.ofProfile(), now: WallClock.now)
            let what = mute ? "mute" : "filter"
            output.console.say(
                before.map { "\(what) \(name) saved; it was: \($0.text)" }
                    ?? "\(what) \(name) saved" + (mute ? "" : "; use it as filter:\(name)"))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Forget a filter's name.",
            usage: "pinproof flows filters remove <name>")

        @Argument(help: "The filter's or mute's name.")
        var name: String

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let saved = SavedFilters(try NamedFilters.savedPath)
            guard let entry = try saved.remove(name, now: WallClock.now) else {
                let names = try saved.read().names
                let nearest = Nearest.word(to: name, among: names).map { ["did you mean \"\($0)\"?"] }
                throw Complaint(
                    "no filter is called \"\(Printable.excerpt(name))\"",
                    hints: nearest ?? (names.isEmpty ? [] : ["saved are \(English.some(names))"]), status: .fail)
            }
            output.console.say("\(entry.name) removed; it was: \(entry.text)")
        }
    }
}
