import ArgumentParser
import Console
import Facts
import Foundation
import Inspector
import Loop
import Web

/// `pinproof mcp`: what was recorded, for an AI agent.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Let an AI agent look at what was recorded, over standard input and output (Model Context Protocol).",
        usage: "pinproof mcp [<file>] [<options>]",
        discussion: """
            An agent starts it and asks it for flows, bodies, differences, reasons of failures, and gate reports. It asks the \
            pinproof proxy that records into the same store, while one runs, and reads what was saved else. Passwords, \
            cookies and tokens are left out, and nothing can be changed, unless it is allowed here.

            EXAMPLES
              pinproof mcp
              pinproof mcp bug.har
              pinproof mcp --store flows.db --write

              {"mcpServers": {"pinproof": {"command": "pinproof", "args": ["mcp"]}}}

            EXIT STATUS
              0   the input has ended
              64  wrong usage
              78  the file cannot be read
            """)

    @Argument(help: "A saved file instead of the store: .har, .jsonl, .chlsj (Charles) or .saz (Fiddler).")
    var file: String?

    @OptionGroup var location: FlowsCommand.Location
    @OptionGroup var named: NamedFilters

    @Option(help: ArgumentHelp("The folder of gate runs.", valueName: "dir"))
    var runs = "runs"

    @Flag(help: "Show passwords, tokens and cookies as they are.")
    var withSecrets = false

    @Flag(help: "Allow marks, comments, removing flows, and deciding on hosts.")
    var write = false

    func validate() throws {
        if file != nil, location.store != nil { throw ValidationError("a file and --store exclude one another") }
    }

    func run() async throws {
        var options = AgentOptions()
        options.showsSecrets = withSecrets
        options.mayChange = write
        let imported = try file.map { try ImportedFile($0) }
        defer { imported?.remove() }
        let store = try imported?.store ?? location.path
        let socket = imported == nil ? LiveSocket.path(forStore: store, environment: Terminal.environment) : nil
        // A store that cannot be read is told now, and not with every call; a proxy may still be about to make its own.
        if imported == nil, socket.map(Files.exists) != true, location.store != nil || Files.exists(store) {
            _ = try FlowsAccess(store: store)
        }
        let place = AgentServer.Place(
            store: store, runs: Files.absolute(runs), book: try named.book(), socket: socket)
        let console = Console.standard(loudness: .quiet, columns: nil)
        // The thread that waits for input is not ours to end: whoever interrupts ends the process.
        let (interruption, watch) = Interruption.bySignals()
        defer { watch.stop() }
        let serving = Task {
            _ = try await untilClosed {
                try await AgentServer(place, options).run(
                    read: { StandardStream.input.nextBytes(upTo: 65_536) }, write: { try console.result(bytes: $0) })
            }
            await interruption.request()
        }
        await interruption.wait()
        serving.cancel()
    }
}

/// A file of flows, taken into a store of its own for as long as it is looked at.
private struct ImportedFile {
    let folder: String
    var store: String { folder + "/flows.db" }

    init(_ file: String) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "pinproof-\(UUID().uuidString)").path
        try FileTree.makeFolder(folder, mode: 0o700)
        do {
            let outcome = try FlowsImport.run(file, intoStoreAt: folder + "/flows.db")
            guard outcome.flows > 0 else {
                throw Complaint("\(file): there is no flow in it", status: .configuration)
            }
        } catch {
            remove()
            throw error
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
