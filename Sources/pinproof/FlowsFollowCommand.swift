import ArgumentParser
import Console
import Facts
import Inspector
import Loop

/// `pinproof flows follow`: what comes, as lines or as HAR files.
struct FlowsFollowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "What is there and what comes, until Ctrl-C; with --har as files.",
        usage: "pinproof flows follow [<filter>] [--har <folder>] [<options>]",
        discussion: """
            With --har, each flow is written once, when it is over, without secrets, into files that are whole at any \
            moment: pinproof-<time>-<n>.har.
            """)

    @OptionGroup var selection: FlowsCommand.Selection
    @OptionGroup var output: OutputOptions

    @Flag(help: "One JSON object a line (pinproof.flow/1).")
    var json = false

    @Flag(help: "Begin with what comes.")
    var new = false

    @Option(help: ArgumentHelp("Begin with so many, the newest ones.", valueName: "n"))
    var last: Int?

    @Flag(help: "Also what mutes leave out; HAR files have it anyway.")
    var muted = false

    @Option(help: ArgumentHelp("Write HAR files into this folder, which is made.", valueName: "folder"))
    var har: String?

    @Option(help: ArgumentHelp("Size of a HAR file after which the next is begun. (default: 64M)", valueName: "size"))
    var rotate: String?

    @Option(help: ArgumentHelp("Minutes after which the next is begun. (default: 60)", valueName: "minutes"))
    var rotateMinutes: Int?

    @Option(
        help: ArgumentHelp(
            "Size of all HAR files in the folder, the oldest go first. (default: 4G)", valueName: "size"))
    var keep: String?

    func validate() throws {
        if let last, last < 1 { throw ValidationError("--last: 1 or more") }
        if new, last != nil { throw ValidationError("--new and --last exclude one another") }
        guard har != nil else {
            for (name, isGiven) in [
                ("--rotate", rotate != nil), ("--rotate-minutes", rotateMinutes != nil), ("--keep", keep != nil),
            ] where isGiven { throw ValidationError("\(name) goes with --har") }
            return
        }
        if last != nil { throw ValidationError("--last goes without --har") }
        if let rotateMinutes, !(1...100_000).contains(rotateMinutes) {
            throw ValidationError("--rotate-minutes: 1 to 100000")
        }
        _ = try options(folder: "")
    }

    private func options(folder: String) throws -> FlowsFollow.Options {
        var options = FlowsFollow.Options(folder: folder)
        if let rotate { options.rotate = try ByteSize.parse("--rotate", rotate, in: (1 << 10)...(1 << 40)) }
        if let rotateMinutes { options.rotateAfter = Double(rotateMinutes) * 60 }
        if let keep { options.keep = try ByteSize.parse("--keep", keep, in: (1 << 10)...(1 << 50)) }
        guard options.keep >= options.rotate else {
            throw ValidationError("--keep: less than one file (--rotate) cannot be kept")
        }
        options.isNewOnly = new
        options.isJSON = json
        return options
    }

    func run() async throws {
        let (interruption, watch) = Interruption.bySignals()
        defer { watch.stop() }
        let access = try await selection.access()
        guard let har else { return try await lines(access, interruption) }
        let folder = Files.absolute(har)
        let console = output.console
        let follow = FlowsFollow(access, try options(folder: folder), console: console)
        _ = try await untilClosed {
            try await follow.run(interruption) { outcome in for line in outcome.lines { console.say(line) } }
        }
    }

    private func lines(_ access: FlowsAccess, _ interruption: Interruption) async throws {
        var options = FlowsList.Options()
        options.isJSON = json
        options.last = last
        options.isNewOnly = new
        options.follows = true
        options.showsMuted = muted
        let console = output.console
        let list = FlowsList(
            access, options, console: console, width: output.columns, isColored: Terminal.hasColor && !json)
        guard let counts = try await untilClosed({ try await list.run(interruption) }) else { return }
        console.say(English.count(counts.shown, "line"))
        if counts.muted > 0 { console.say(NamedFilters.words(ofMuted: counts.muted)) }
    }
}

extension FlowsFollow.Outcome {
    /// For people.
    var lines: [String] {
        var lines = [
            "\(English.count(flows, "flow")) in \(English.count(files, "file")), "
                + "\(English.count(redacted, "secret")) left out"
                + (leftOut > 0 ? ", \(English.count(leftOut, "part")) that could not be searched left out" : "")
        ]
        if open > 0 { lines.append("\(open) of them had not ended, and are written as far as they had come") }
        if gone > 0 { lines.append("\(English.count(gone, "flow")) went from the store before being written") }
        if bodiesGone > 0 {
            let bodies = English.count(bodiesGone, "body", plural: "bodies")
            lines.append("\(bodies) left out: the files that they were kept in are gone")
        }
        if removed > 0 { lines.append("the oldest \(English.count(removed, "file")) made room (--keep)") }
        return lines
    }
}
