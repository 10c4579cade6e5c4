import ArgumentParser
import Testing

@testable import Web
@testable import pinproof

/// Command line, API and agent's tools offer the same: whoever adds to one of them is reminded of the others.
@Suite("One table of operations")
struct OneTableTests {
    /// Subcommands of `flows` that no operation stands for, and why.
    private static let own = [
        "import": "a file of this machine: the API takes none",
        "filters": "they are kept for the command line; filter:NAME works everywhere",
    ]

    private static var subcommands: [String] {
        FlowsCommand.configuration.subcommands.map { $0._commandName }
    }

    @Test("every subcommand of flows is an operation, or has a reason why it is none")
    func commands() {
        let commands = Operation.all.compactMap(\.command.name)
        for name in Self.subcommands {
            let isOperation = commands.contains { $0 == "flows \(name)" || $0.hasPrefix("flows \(name) ") }
            #expect(isOperation != (Self.own[name] != nil), "flows \(name)")
        }
        #expect(Set(Self.own.keys).isSubset(of: Self.subcommands))
    }

    @Test("every command that an operation names is there, with its option")
    func named() throws {
        for operation in Operation.all {
            guard let words = operation.command.name?.split(separator: " ").map(String.init) else { continue }
            let root = Pinproof.configuration.subcommands
            var command = try #require(root.first { $0._commandName == words[0] }, "\(operation.id)")
            for word in words.dropFirst() {
                if word.hasPrefix("--") {
                    #expect(command.helpMessage().contains(word), "\(operation.id): \(word)")
                } else {
                    command = try #require(
                        command.configuration.subcommands.first { $0._commandName == word }, "\(operation.id): \(word)")
                }
            }
        }
    }

    @Test("every operation is a tool with a name of its own, or says why it is none; the same of commands")
    func tools() {
        let names = Operation.all.compactMap(\.tool.name)
        #expect(Set(names).count == names.count)
        for operation in Operation.all {
            for face in [operation.tool, operation.command] {
                if case .none(let why) = face { #expect(why.count > 10, "\(operation.id)") }
            }
        }
        #expect(Set(AgentTool.all.map(\.name)) == Set(names))
    }

    @Test("what a tool takes is what the operation takes, and its own budget; nothing more")
    func parameters() {
        var options = AgentOptions()
        (options.showsSecrets, options.mayChange) = (true, true)
        for tool in AgentTool.all {
            let own = Set(AgentTool.Own.allCases.map(\.rawValue))
            let wanted = Set(tool.operation.query.map(\.name))
            #expect(wanted.isSubset(of: tool.names(options)), "\(tool.name)")
            let path = Set(tool.operation.parts.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) })
            let rest = Set(tool.names(options)).subtracting(wanted).subtracting(path)
            #expect(tool.operation.body != nil || rest.isSubset(of: own), "\(tool.name): \(rest)")
        }
    }

    @Test("filters, formats and other choices have the same words in all three")
    func words() throws {
        let export = try #require(Operation.all.first { $0.id == "exportFlows" })
        guard case .choice(let formats)? = export.query.first(where: { $0.name == "format" })?.kind else {
            Issue.record("format is no choice")
            return
        }
        let help = FlowsCommand.Export.helpMessage()
        for format in formats { #expect(help.contains(format), "\(format)") }
    }
}
