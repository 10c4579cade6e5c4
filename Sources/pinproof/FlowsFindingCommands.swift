import ArgumentParser
import Console
import Facts
import Inspector
import Loop
import Store

extension FlowsCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
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
            let access = try selection.access()
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
            let console = output.console
            let text: String
            if json {
                var writer = JSONWriter()
                FlowsCompare.write(comparison, first, second, to: &writer)
                text = String(decoding: writer.bytes, as: UTF8.self) + "\n"
            } else {
                text = FlowsCompare.text(comparison, first, second)
            }
            _ = try await untilClosed { try console.result(text) }
        }
    }

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
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
            var text = explanation.text
            if json {
                var writer = JSONWriter()
                explanation.write(to: &writer)
                text = String(decoding: writer.bytes, as: UTF8.self) + "\n"
            }
            let (console, shown) = (output.console, text)
            _ = try await untilClosed { try console.result(shown) }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
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

    fileprivate static func missing(_ id: Int64) -> Complaint {
        Complaint("there is no flow \(id)", hints: ["pinproof flows list shows the numbers"], status: .fail)
    }
}
