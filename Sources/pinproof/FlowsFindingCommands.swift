import ArgumentParser
import Console
import Facts
import Inspector
import Loop
import Store

extension FlowsCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search",
            abstract: "Where a text stands: in addresses, headers, text bodies and messages.",
            usage: "pinproof flows search <text> [<filter>] [<options>]")

        @Argument(help: "What to look for, letters' case apart.")
        var text: String

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if text.isEmpty { throw ValidationError("<text>: what to look for") }
        }

        func run() async throws {
            let access = try await selection.access()
            let search = FlowsSearch(text, filter: access.filter)
            let sight = FlowSight(access.store, hidesSecrets: false)
            let console = output.console
            var (found, after): (Int, Int64?) = (0, nil)
            repeat {
                let page = try search.page(in: access.store, sight, after: after, limit: 50)
                for one in page.found {
                    let text = FlowsSearch.text(one, width: output.columns, isColored: Terminal.hasColor)
                    guard try await untilClosed({ try console.result(text) }) != nil else { return }
                }
                found += page.found.count
                after = page.next
            } while after != nil
            guard found == 0 else { return }
            console.say("no flow matches")
            throw ExitCode(ExitStatus.fail.rawValue)
        }
    }

    struct Compare: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "What two flows differ in.", usage: "pinproof flows compare <first> <second> [<options>]")

        @Argument(help: "A flow's number.")
        var first: Int64

        @Argument(help: "Another one's.")
        var second: Int64

        @OptionGroup var location: Location
        @OptionGroup var output: OutputOptions

        @Flag(help: "As JSON.")
        var json = false

        func run() async throws {
            let access = try FlowsAccess(store: location.path)
            let sight = FlowSight(access.store, hidesSecrets: false)
            guard let comparison = try FlowsCompare.comparison(first, second, sight) else {
                throw Complaint(
                    "one of the flows \(first) and \(second) is not there",
                    hints: ["pinproof flows list shows the numbers"], status: .fail)
            }
            try await FlowsCommand.show(
                FlowsCompare.text(comparison, first, second), on: output.console, json: json
            ) { FlowsCompare.write(comparison, first, second, to: &$0) }
        }
    }

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Why a flow failed or is not decrypted, and what to do.",
            usage: "pinproof flows explain <id> [<options>]")

        @Argument(help: "The flow's number.")
        var id: Int64

        @OptionGroup var location: Location
        @OptionGroup var output: OutputOptions

        @Flag(help: "As JSON.")
        var json = false

        func run() async throws {
            let access = try FlowsAccess(store: location.path)
            guard let flow = try access.store.flow(id) else { throw FlowsCommand.missing(id) }
            let explanation = try FlowExplanation(flow, in: access.store)
            try await FlowsCommand.show(explanation.text, on: output.console, json: json) {
                explanation.write(to: &$0)
            }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark",
            abstract: "Mark a flow, or say something of it.",
            usage: "pinproof flows mark <id> [--mark <text>] [--comment <text>] [<options>]")

        @Argument(help: "The flow's number.")
        var id: Int64

        @Option(help: ArgumentHelp("A word: mark:red finds it. An empty one takes it away.", valueName: "text"))
        var mark: String?

        @Option(
            help: ArgumentHelp("What there is to say; HAR has it too. An empty one takes it away.", valueName: "text"))
        var comment: String?

        @OptionGroup var location: Location
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if mark == nil, comment == nil { throw ValidationError("--mark or --comment is needed") }
            if mark?.count ?? 0 > FlowNote.markLimit {
                throw ValidationError("--mark: at most \(FlowNote.markLimit) characters")
            }
            if comment?.count ?? 0 > FlowNote.commentLimit {
                throw ValidationError("--comment: at most \(FlowNote.commentLimit) characters")
            }
        }

        func run() async throws {
            let access = try FlowsAccess(store: location.path)
            guard try access.store.annotate(id, mark: mark, comment: comment) != nil else {
                throw FlowsCommand.missing(id)
            }
            output.console.say("flow \(id) is marked")
        }
    }

    /// Prints the text, or with `json` what `write` writes.
    private static func show(
        _ text: String, on console: Console, json: Bool, _ write: (inout JSONWriter) -> Void
    ) async throws {
        var shown = text
        if json {
            var writer = JSONWriter()
            write(&writer)
            shown = String(decoding: writer.bytes, as: UTF8.self) + "\n"
        }
        let result = shown
        _ = try await untilClosed { try console.result(result) }
    }

    fileprivate static func missing(_ id: Int64) -> Complaint {
        Complaint("there is no flow \(id)", hints: ["pinproof flows list shows the numbers"], status: .fail)
    }
}
