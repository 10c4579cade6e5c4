import ArgumentParser
import Console
import Facts
import Loop
import PinTools
import Pins

/// Files that declare pins, as arguments.
struct PinFileArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Configurations, source code, apps (.apk, .aab, .ipa) and profiles; - is standard input.", valueName: "file"
        ))
    var files: [String]

    func validate() throws {
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input (-) can be read once") }
    }

    func read() throws -> [PinFile] { try PinFileSource.read(files) }
}

/// The day that others call today.
struct TodayOption: ParsableArguments {
    @Option(help: ArgumentHelp("The day to judge by. (default: today, in UTC)", valueName: "yyyy-mm-dd"))
    var today: String?

    func validate() throws { _ = try date }

    var date: CalendarDate {
        get throws {
            guard let today else { return UTCTime(unix: WallClock.now).date }
            guard let date = CalendarDate(today) else {
                throw ValidationError("--today is a day such as 2026-12-31; got: \(today)")
            }
            return date
        }
    }
}

/// `pinproof pins import FILE …`.
struct PinsImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make a profile of the pins that files declare.",
        usage: "pinproof pins import <file> ... [--json] [--out <profile>]",
        discussion: """
            Reads Android's network security config (text, compiled, in an app), Info.plist, TrustKit, OkHttp, Alamofire, \
            Cronet, Flutter, React Native, curl, HPKP headers and pins.json, each by its platform's own rules, and prints a \
            profile. What a profile cannot say is noted in it, and on stderr. The exit status is 65 when a file is none of \
            these, when its platform would reject it, and when no host is named: a profile has to name one, --json does not.

            EXAMPLES
              pinproof pins import app/src/main/res/xml/network_security_config.xml --out release.yaml
              pinproof pins import Info.plist Pins.kt --json
            """)

    @OptionGroup var input: PinFileArguments

    @Flag(help: "JSON on stdout in place of the profile. (docs/pins.md)")
    var json = false

    @Option(help: ArgumentHelp("Write the profile there; nothing is overwritten.", valueName: "profile"))
    var out: String?

    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        // A link that leads nowhere is there as well.
        if let out, Files.exists(out) || (try? FileStatus(of: out, followingLinks: false)) != nil {
            throw Complaint("\(out): there is a file already", hints: ["name another with --out"], status: .usage)
        }
        let files = try input.read()
        let found = PinImport(files)
        let console = output.console
        let writer = ProfileWriter(files, today: try today.date)
        for note in found.notes { console.say(Self.line(note)) }
        if json { try console.result(bytes: found.json) }
        // JSON has a place for pins without a host, a profile has none.
        guard out != nil || !json else { return }
        if let lack = writer.lack { throw PinsError(.data, lack.message, hints: lack.hints) }
        if let out {
            try OutputPlace.choosing("pins import --out PROFILE") { () throws(FileError) in
                try Files.writeAtomically(Array(writer.text.utf8), to: out)
            }
        }
        if json { return }
        if let out { console.say("wrote \(out)") } else { try console.result(writer.text) }
    }

    private static func line(_ note: PinImport.Note) -> String {
        "note: \(Printable.escaped(note.file)):\(note.note.line): \(Printable.escaped(note.note.text))"
    }
}

/// `pinproof pins sync --check FILE …`.
struct PinsSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Check that the files of all platforms pin the same.",
        usage: "pinproof pins sync --check <file> ... [--json]",
        discussion: """
            Compares, host by host, which pins count on each platform by its own rules. The exit status is 0 when they \
            agree, 1 when they do not, 2 when it cannot be said, as pins of one of them are not at hand or there is nothing \
            to compare, and 65 when a file cannot be read. A file that pins no host takes part.

            EXAMPLES
              pinproof pins sync --check network_security_config.xml Info.plist Pins.kt release.yaml
            """)

    @Flag(help: "Compare, and change nothing: there is nothing else that this command does.")
    var check = false

    @OptionGroup var input: PinFileArguments

    @Flag(help: "JSON on stdout, and nothing else there. (docs/pins.md)")
    var json = false

    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !check { throw ValidationError("sync only compares: write pinproof pins sync --check FILE ...") }
    }

    func run() throws {
        let sync = PinSync(try input.read(), today: try today.date)
        if json { try output.console.result(bytes: sync.json) } else { try output.console.result(sync.text) }
        if sync.disagrees { throw ExitCode(ExitStatus.fail.rawValue) }
        if sync.isUnclear { throw ExitCode(ExitStatus.inconclusive.rawValue) }
    }
}

extension ExportFormat: ExpressibleByArgument {}

/// `pinproof pins export --for FORMAT FILE`.
struct PinsExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the pins of one file in another format.",
        usage: "pinproof pins export <file> ... --for <format>",
        discussion: """
            Takes the one list (pins.json, a profile, or any file that import reads) and prints it for a platform. What \
            the format cannot say stands in its comments, and on stderr.

            EXAMPLES
              pinproof pins export pins.json --for nsc > network_security_config.xml
              pinproof pins export Info.plist --for pins > pins.json
            """)

    @OptionGroup var input: PinFileArguments

    @Option(name: .customLong("for"), help: "What to write.")
    var format: ExportFormat

    @OptionGroup var today: TodayOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let files = try input.read()
        let console = output.console
        if format == .profile {
            let writer = ProfileWriter(files, today: try today.date)
            if let lack = writer.lack { throw PinsError(.data, lack.message, hints: lack.hints) }
            return try console.result(writer.text)
        }
        // One list of all: an entry keeps the rules of its own format.
        let hosts = files.flatMap(\.hosts)
        guard hosts.contains(where: \.isPinned) else {
            throw PinsError(.data, "nothing is pinned in \(English.some(files.map(\.path)))")
        }
        let list = PinFile(path: files.first?.path ?? "", format: files.first?.format ?? .neutral, hosts: hosts)
        let export = PinExport(list, as: format)
        for loss in export.losses { console.warn("warning: \(loss)") }
        // An empty file would be read as one that pins, and an app shipped with it as pinned.
        guard export.hosts.contains(where: \.isPinned) else {
            throw PinsError(.data, "nothing of it can be written as \(format.rawValue): there would be no pin in it")
        }
        guard format == .pins else { return try console.result(export.text) }
        try console.result(bytes: PinsJSONWriter.write(PinList(hosts: export.hosts.map { PinList.Host($0) })))
    }
}
