import ArgumentParser
import Console
import Facts
import Loop
import PinTools
import Pins

/// `pinproof pins`: everything about pins that needs no app.
struct PinsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pins",
        abstract: "Take pins from servers and files.",
        usage: "pinproof pins <host or file> ... [<options>]",
        discussion: """
            Shows what can be pinned of every certificate and key of a server, or of files in any wrapping: PEM, DER, \
            PKCS#7, PKCS#12, certificate requests, public and private keys, Java key stores. docs/pins.md says what to pin.

            EXAMPLES
              pinproof pins api.example.com
              pinproof pins chain.pem backup.key --json
              pinproof pins backup api.example.com --out keys
              pinproof pins import network_security_config.xml --out release.yaml
              pinproof pins lint network_security_config.xml Info.plist
            """,
        subcommands: [
            PinsShowCommand.self, PinsBackupCommand.self, PinsImportCommand.self, PinsSyncCommand.self,
            PinsExportCommand.self, PinsLintCommand.self, PinsWatchCommand.self,
        ],
        defaultSubcommand: PinsShowCommand.self)
}

/// `pinproof pins HOST | FILE …`.
struct PinsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the pins of servers and files. (default)",
        usage: "pinproof pins <host or file> ... [--json] [<options>]",
        discussion: """
            The exit status is 0 when something was found, 3 when a server could not be asked, and 65 when a file holds \
            neither a certificate nor a key. Warnings go to stderr.
            """)

    @Argument(
        help: ArgumentHelp("Servers (HOST or HOST:PORT) and files; - is standard input.", valueName: "host or file"))
    var sources: [String]

    @Flag(help: "JSON on stdout, and nothing else there. (docs/pins.md)")
    var json = false

    @Option(name: .customLong("for"), help: "A snippet to paste, in place of the list; for one source.")
    var format: ExportFormat?

    @Option(help: ArgumentHelp("An HTTP proxy on the way to servers.", valueName: "url"))
    var through: String?

    @Option(help: ArgumentHelp("Where servers are called instead, as HOST:PORT.", valueName: "place"))
    var at: String?

    @Option(help: ArgumentHelp("A file with roots of a server of your own; repeatable.", valueName: "file"))
    var roots: [String] = []

    @Option(help: ArgumentHelp("A file whose first line opens PKCS#12 files and keys.", valueName: "file"))
    var passwordFile: String?

    @OptionGroup var output: OutputOptions

    private func place() throws -> Endpoint? {
        try at.map { text in
            guard let place = Endpoint(text) else {
                throw ValidationError("--at is HOST:PORT, such as 127.0.0.1:8443; got: \(text)")
            }
            return place
        }
    }

    func validate() throws {
        _ = try place()
        _ = try through.map { try UpstreamProxyArgument.proxy($0, of: "--through") }
        if json, format != nil { throw ValidationError("--json and --for exclude one another") }
        if let format, !ExportFormat.snippets.contains(format) {
            let names = ExportFormat.snippets.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "--for \(format.rawValue) is no snippet: there are \(names); whole files are written by pins export")
        }
        if sources.filter({ $0 == "-" }).count > 1 { throw ValidationError("standard input (-) can be read once") }
    }

    func run() async throws {
        var options = PinsSession.Options(sources)
        options.proxy = try through.map { try UpstreamProxyArgument.proxy($0, of: "--through") }
        options.place = try place()
        options.roots = roots
        options.passwordFile = passwordFile
        let found = try await PinsSession(options).run()
        let console = output.console
        for pins in found {
            for warning in pins.warnings {
                console.warn("warning: \(Printable.escaped(pins.source)): \(Printable.escaped(warning.text))")
            }
        }
        if let format {
            for pins in found {
                let snippet = Snippet(pins, as: format)
                for warning in snippet.warnings { console.warn("warning: \(warning)") }
                guard !snippet.pinsNothing else {
                    throw PinsError(
                        .data, "\(Printable.escaped(pins.source)): nothing of it can be pinned as \(format.rawValue)",
                        hints: ["see what it holds without --for, or name another format"])
                }
                try console.result(snippet.text)
            }
            return
        }
        guard json else {
            try console.result(found.map(\.text).joined(separator: "\n"))
            return
        }
        var writer = JSONWriter(layout: .indented)
        if found.count > 1 { writer.beginArray() }
        for pins in found { pins.write(to: &writer) }
        if found.count > 1 { writer.endArray() }
        try console.result(bytes: writer.bytes + [10])
    }
}

extension BackupSession.KeyKind: ExpressibleByArgument {}

/// `pinproof pins backup HOST …`.
struct PinsBackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Make a backup key, and say its pin.",
        usage: "pinproof pins backup <host> ... --out <dir> [--key <kind>]",
        discussion: """
            Writes a private key (mode 0600) and a certificate request with the hosts in its SAN, and prints the pin to \
            put into the app now. It overwrites nothing. Keep the key where your servers' keys are not.

            EXAMPLES
              pinproof pins backup api.example.com --out keys
            """)

    @Argument(help: ArgumentHelp("Names that the certificate is to be for.", valueName: "host"))
    var hosts: [String]

    @Option(help: ArgumentHelp("The folder for key and request.", valueName: "dir"))
    var out: String

    @Option(help: "What kind of key.")
    var key: BackupSession.KeyKind = .ecP256

    @OptionGroup var output: OutputOptions

    private func names() throws -> [HostName] {
        try hosts.map { text in
            guard let name = HostName(text) else {
                let hint = HostHints.hint(for: text).map { ": \($0)" } ?? ""
                throw ValidationError("\(text) is no host name\(hint)")
            }
            return name
        }
    }

    func validate() throws { _ = try names() }

    func run() throws {
        let made = try BackupSession(try names(), into: out, key).run()
        let console = output.console
        console.say("key      \(made.keyPath)  (\(made.item.key), for its owner alone)")
        console.say("request  \(made.requestPath)")
        try console.result(made.item.pin + "\n")
    }
}
