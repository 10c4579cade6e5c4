import ArgumentParser
import Authority
import Console
import Profiles

/// `pinproof ca`: the certificate authority that chains are forged with.
struct CACommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ca",
        abstract: "Make, show, export and remove the CA to forge with.",
        discussion: """
            Whoever holds a CA's key can impersonate every site to the devices that trust it. For CI make one with \
            --only: to clients that enforce name constraints it can sign for the profile's hosts (and the reserved \
            pinproof.invalid) and nothing else, and its root key is destroyed.

            EXAMPLES
              pinproof ca init --only release.yaml --ca ca/ci
              pinproof ca init --like chain.pem --ca ca/namesake
              pinproof ca export --ca ca/ci --format android,mobileconfig --out device
              pinproof ca remove --ca ca/ci
            """,
        subcommands: [Init.self, Show.self, Export.self, Remove.self])

    /// The folder, the same for all four.
    struct Folder: ParsableArguments {
        @Option(
            name: .customLong("ca"),
            help: ArgumentHelp(
                """
                The CA's folder. (default: \(CAChoice.projectFolder) where that exists, else your own in the data folder)
                """, valueName: "dir"))
        var path: String?

        var session: CASession {
            get throws {
                switch try path.map(CAChoice.folder) ?? .usual(environment: Terminal.environment) {
                case .folder(let path): CASession(CAStore(path: path))
                case .personal(let data): CASession(CAStore(in: data))
                // Not among the usual ones.
                case .ephemeral, .lent: throw ValidationError("--ca: name a folder")
                }
            }
        }
    }

    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make a CA; one that is there is never overwritten.")

        @Option(
            help: ArgumentHelp(
                "Make one that can sign for this profile's hosts only, and destroy its root key.",
                valueName: "profile"))
        var only: String?

        @Option(
            help: ArgumentHelp(
                """
                Give the root the name, and a key of the type and size, of the genuine root above this PEM chain: for pins \
                that compare a root's name. Never install such a CA on anything but a test device.
                """, valueName: "chain"))
        var like: String?

        @OptionGroup var folder: Folder
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let loaded = try only.map { path throws(ProfileErrors) in try ProfileLoader.load(path: path) }
            try loaded?.requireConstrainable()
            try output.console.result(try folder.session.make(only: loaded?.profile, like: like))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show what the CA is, and what it may sign for.")

        @OptionGroup var folder: Folder
        @OptionGroup var output: OutputOptions

        func run() async throws { try output.console.result(try folder.session.show()) }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write the root certificate in the forms that devices take; never a key.")

        @Option(
            help: ArgumentHelp("Of \(CAExportFormat.names), or all.", valueName: "list"))
        var format = "all"

        @Option(help: ArgumentHelp("The folder to write to.", valueName: "dir"))
        var out = "."

        @Option(help: ArgumentHelp("Of the PKCS#12 file.", valueName: "text"))
        var password = CASession.defaultPassword

        @OptionGroup var folder: Folder
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let formats = try CAExportFormat.parse(list: format)
            try output.console.result(try folder.session.export(formats, to: out, password: password))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Delete the CA's files, and nothing else.")

        @OptionGroup var folder: Folder
        @OptionGroup var output: OutputOptions

        func run() async throws { try output.console.result(try folder.session.remove()) }
    }
}
