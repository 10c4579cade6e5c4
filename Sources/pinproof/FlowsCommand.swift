import ArgumentParser
import Console
import Facts
import Inspector
import Loop
import Web

/// `pinproof flows`: what the debugging proxy has recorded.
struct FlowsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flows",
        abstract: "List, show and export what `pinproof proxy` has recorded.",
        discussion: """
            Works while the proxy is recording. Filters are words and key:value terms, joined by "and"; one that begins \
            with - follows --.

            EXAMPLES
              pinproof flows list host:api.example.com 'status:>=400'
              pinproof flows follow --new
              pinproof flows follow --har recordings/ host:api.example.com
              pinproof flows show 1042
              pinproof flows show 1042 --body response
              pinproof flows search order_id host:api.example.com
              pinproof flows compare 1042 1049
              pinproof flows explain 1042
              pinproof flows export is:failed --format har --out failed.har
              pinproof flows stats after:2026-01-01T10:00 -- -host:cdn.example.com

            EXIT STATUS
              0   done
              1   nothing matched
              64  wrong usage
              78  the store cannot be used, or the result not be written
            """,
        subcommands: [
            List.self, Show.self, Search.self, Compare.self, Explain.self, Mark.self, FlowsFollowCommand.self,
            Export.self,
            Import.self, Clear.self, Stats.self, FiltersCommand.self,
        ])

    /// `--store`, and the filter that most of them take.
    struct Selection: ParsableArguments {
        @Argument(help: "Which flows. (default: all)")
        var filter: [String] = []

        @OptionGroup var location: Location
        @OptionGroup var named: NamedFilters

        /// What has passed until now is in it.
        func access() async throws -> FlowsAccess {
            await LiveRecording.catchUp(intoStore: try location.path, environment: Terminal.environment)
            return try FlowsAccess(store: location.path, filter: filter, book: try named.book())
        }
    }

    /// `--store`.
    struct Location: ParsableArguments {
        @Option(help: ArgumentHelp("Where flows are kept. (default: flows.db in the data folder)", valueName: "file"))
        var store: String?

        var path: String { get throws { try RecordingArguments.path(store) } }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "A line for each flow, the oldest first.", usage: "pinproof flows list [<filter>] [<options>]")

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        @Flag(help: "One JSON object a line (pinproof.flow/1).")
        var json = false

        @Option(help: ArgumentHelp("Not more than so many, the oldest ones.", valueName: "n"))
        var limit: Int?

        @Option(help: ArgumentHelp("Not more than so many, the newest ones.", valueName: "n"))
        var last: Int?

        @Flag(help: "Go on with what comes, until Ctrl-C.")
        var follow = false

        @Flag(help: "Also what mutes leave out.")
        var muted = false

        func validate() throws {
            if limit != nil, last != nil { throw ValidationError("--limit and --last exclude one another") }
            for (name, number) in [("--limit", limit), ("--last", last)] {
                if let number, number < 1 { throw ValidationError("\(name): 1 or more") }
            }
        }

        func run() async throws {
            var options = FlowsList.Options()
            options.isJSON = json
            options.limit = limit
            options.last = last
            options.follows = follow
            options.showsMuted = muted
            let (interruption, watch) = Interruption.bySignals()
            defer { watch.stop() }
            let access = try await selection.access()
            let list = FlowsList(
                access, options, console: output.console, width: output.columns,
                isColored: Terminal.hasColor && !json)
            guard let counts = try await untilClosed({ try await list.run(interruption) }) else { return }
            if counts.muted > 0 { output.console.say(NamedFilters.words(ofMuted: counts.muted)) }
            if counts.shown == 0, counts.muted == 0, !follow {
                output.console.say("no flow matches")
                if let (word, filter) = access.filter.wordLikeAFilter {
                    output.console.say("hint: \(word) was looked for as text; the filter is \(filter)")
                }
            }
            if counts.shown == 0, !follow { throw ExitCode(ExitStatus.fail.rawValue) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "One flow, a body of it, or its messages.", usage: "pinproof flows show <id> [<options>]")

        enum Side: String, ExpressibleByArgument, CaseIterable { case request, response }

        @Argument(help: "The flow's number.")
        var id: Int64

        @OptionGroup var location: Location
        @OptionGroup var output: OutputOptions

        @Flag(help: "As JSON (pinproof.flow/1).")
        var json = false

        @Option(help: ArgumentHelp("A body, decoded; pretty on a terminal.", valueName: "request|response"))
        var body: Side?

        @Flag(help: "Its messages.")
        var messages = false

        @Flag(help: "A body as it was on the wire.")
        var raw = false

        @Option(
            help: ArgumentHelp(
                "Names for protobuf: a descriptor set, as protoc --include_imports --descriptor_set_out writes.",
                valueName: "file"))
        var proto: String?

        @Option(help: ArgumentHelp("The message, where the flow does not say it: shop.v1.Order.", valueName: "name"))
        var type: String?

        func validate() throws {
            if [json, body != nil, messages].count(where: \.self) > 1 {
                throw ValidationError("--json, --body and --messages exclude one another")
            }
            if raw, body == nil { throw ValidationError("--raw goes with --body") }
            if proto != nil, raw || body == nil && !messages {
                throw ValidationError("--proto goes with --body or --messages, and without --raw")
            }
            if type != nil, proto == nil { throw ValidationError("--type goes with --proto") }
        }

        func run() async throws {
            let part: FlowsShow.Part =
                if json { .json } else if messages { .messages } else if let body {
                    .body(body == .request ? .up : .down)
                } else { .overview }
            let show = FlowsShow(
                try FlowsAccess(store: location.path), part, isRaw: raw,
                isForTerminal: StandardStream.output.isTerminal,
                isColored: Terminal.hasColor, proto: try proto.map { try ProtoFile($0, message: type) },
                width: output.columns)
            let console = output.console
            guard let bytes = try show.bytes(of: id, note: { console.warn("warning: \($0)") }) else {
                throw Complaint(
                    "there is no flow \(id)", hints: ["pinproof flows list shows the numbers"], status: .fail)
            }
            _ = try await untilClosed { try console.result(bytes: bytes) }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Flows for other programs, without secrets.",
            usage: "pinproof flows export [<filter>] --format <format> [<options>]")

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        @Option(help: ArgumentHelp("har, jsonl, curl, fetch, httpie, python, raw or pcapng.", valueName: "format"))
        var format: FlowsExport.Format

        @Option(
            name: .customLong("out"),
            help: ArgumentHelp("The file to write, or - for standard output. (default: -)", valueName: "file"))
        var place: String?

        @Flag(help: "With passwords, tokens and cookies as they are.")
        var withSecrets = false

        /// Nil: standard output.
        private var out: String? { place == "-" ? nil : place }

        func validate() throws {
            if format == .raw, out == nil, StandardStream.output.isTerminal {
                throw ValidationError(
                    "--format raw: what passed may steer a terminal; name a file with --out, or send it to a program: | less"
                )
            }
            guard format == .pcapng else { return }
            guard withSecrets else {
                throw ValidationError(
                    "--format pcapng: secrets cannot be taken out of packets; say --with-secrets if whoever gets the file may "
                        + "have them, or take --format har, which leaves them out")
            }
            guard out != nil || !StandardStream.output.isTerminal else {
                throw ValidationError("--format pcapng: packets are no text for a terminal; name a file with --out")
            }
        }

        func run() async throws {
            let access = try await selection.access()
            let console = output.console
            let export = FlowsExport(access, format, withSecrets: withSecrets)
            let outcome: FlowsExport.Outcome
            if let out {
                var outputs = OutputPaths()
                outputs.add("--store", try selection.location.path, beside: ["-wal", "-shm", ".lock"])
                outputs.add("--out", out)
                try outputs.requireDifferent()
                outcome = try PrivateFile.write(out, isWanted: { $0.flows > 0 }) { write in try export.run(write) }
            } else {
                let read = try await untilClosed { try export.run { try console.result(bytes: $0) } }
                guard let read else { return }
                outcome = read
            }
            for line in outcome.words(format, withSecrets: withSecrets, file: out) { console.say(line) }
            if outcome.bodiesGone > 0 {
                let bodies = English.count(outcome.bodiesGone, "body", plural: "bodies")
                console.warn("warning: \(bodies) left out: the files that they were kept in are gone")
            }
            if outcome.flows == 0 { throw ExitCode(ExitStatus.fail.rawValue) }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Take flows from a file.", usage: "pinproof flows import <file> [<options>]")

        @Argument(help: "A .har, .jsonl, .chlsj (Charles) or .saz (Fiddler) file.")
        var file: String

        @OptionGroup var location: Location
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let console = output.console
            let outcome = try FlowsImport.run(file, intoStoreAt: location.path)
            for fault in outcome.faults { console.warn("warning: \(file): \(fault.place): \(fault.reason)") }
            if outcome.moreFaults > 0 { console.warn("warning: \(file): and \(outcome.moreFaults) more") }
            console.say("\(English.count(outcome.flows, "flow")) imported")
            if outcome.old > 0 {
                console.warn(
                    "warning: \(English.count(outcome.old, "flow")) began more than \(RecordingOptions.usualDays) days ago: "
                        + "the next pinproof proxy with this store removes them, unless --keep-days is more")
            }
            if outcome.flows == 0 { throw ExitCode(ExitStatus.fail.rawValue) }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove flows for good.", usage: "pinproof flows clear [<filter>] [<options>]")

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        @Flag(help: "Remove all flows without asking.")
        var yes = false

        func run() async throws {
            do { try await clear() } catch {
                guard isEverything, yes || !asks, try FlowsAccess.eraseStore(of: error) else { throw error }
                output.console.say("all flows removed, and the store with them: no space was left on the disk")
            }
        }

        private var isEverything: Bool { selection.filter.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
        /// Nobody sits at a script: what it says is done.
        private var asks: Bool { Terminal.hasInput && StandardStream.error.isTerminal }

        private func clear() async throws {
            let access = try await selection.access()
            if isEverything, !yes, asks {
                let count = try access.store.count(matching: access.filter)
                if count > 0, !Self.isYes(try await answer(to: count)) {
                    output.console.say("nothing was removed")
                    throw ExitCode(ExitStatus.fail.rawValue)
                }
            }
            let open = try access.openCount()
            let count = try access.store.delete(matching: access.filter)
            let rest = open > 0 ? "; \(open) of them had not ended, and nothing more of them is recorded" : ""
            output.console.say("\(English.count(count, "flow")) removed" + rest)
            if count == 0 { throw ExitCode(ExitStatus.fail.rawValue) }
        }

        private func answer(to count: Int) async throws -> String? {
            output.console.warn(
                "this removes all \(English.count(count, "flow")) of \(try selection.location.path) for good: go on? (yes/no)"
            )
            return await LineInput().nextLine()
        }

        /// Everything else, and the end of input, is a no.
        static func isYes(_ line: String?) -> Bool {
            let word = line?.lowercased().filter { !$0.isWhitespace }
            return word == "y" || word == "yes"
        }
    }

    struct Stats: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Counts, bytes and times by host, status and type.",
            usage: "pinproof flows stats [<filter>] [<options>]")

        @OptionGroup var selection: Selection
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let access = try await selection.access()
            let statistics = try access.store.statistics(matching: access.filter)
            _ = try await untilClosed { try output.console.result(FlowsStats.text(statistics, width: output.columns)) }
            if statistics.all.count == 0 { throw ExitCode(ExitStatus.fail.rawValue) }
        }
    }
}

extension Interruption {
    /// One that Ctrl-C and the like ask for; the second time the process ends at once. The watch is to be stopped.
    static func bySignals() -> (Interruption, SignalWatch) {
        let interruption = Interruption()
        let watch = SignalWatch { count in
            guard count == 1 else { ProcessControl.endAtOnce(ExitStatus.killed.rawValue) }
            Task { await interruption.request() }
        }
        return (interruption, watch)
    }
}

/// What `body` answers; nil where whoever reads the output has seen enough and closed the pipe.
func untilClosed<T: Sendable>(_ body: () async throws -> T) async throws -> T? {
    do { return try await body() } catch let complaint as Complaint where complaint.isClosedPipe { return nil }
}

extension FlowsExport.Format: ExpressibleByArgument {}
