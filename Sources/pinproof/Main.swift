import ArgumentParser
import Console
import Facts
import Inspector
import Loop

/// Where the process begins and ends: parses, runs, turns errors into words and a status.
@main
enum Main {
    static func main() async {
        ProcessControl.ignoreBrokenPipes()
        ProcessControl.keepOthersFromWriting()
        ProcessControl.end(await status(of: Array(CommandLine.arguments.dropFirst())))
    }

    /// Runs one command line to its exit status.
    static func status(of arguments: [String]) async -> Int32 {
        let console = Console.standard(loudness: .normal, columns: nil)
        Wiring.tellOfLibevent(on: console)
        if let complaint = Ending.argumentWithoutText ?? Ending.emptyCommand(arguments) {
            console.warn(complaint.description)
            return complaint.status.rawValue
        }
        if Ending.asksForAllVersions(arguments) {
            var delivery = Delivery()
            delivery.attempt { try console.result(LinkedVersions.text + "\n") }
            return delivery.status(of: .pass, on: console).rawValue
        }
        do {
            var command = try Self.command(of: arguments)
            try DescriptorLimit.require(DescriptorNeed.anything)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            return ExitStatus.pass.rawValue
        } catch let code as ExitCode {
            return code.rawValue
        } catch {
            let ending = Ending(of: error, arguments)
            if ending.isError {
                console.warn(ending.text)
                return ending.status
            }
            var delivery = Delivery()
            delivery.attempt { try console.result(ending.text + "\n") }
            return delivery.status(of: .pass, on: console).rawValue
        }
    }
}

extension Main {
    /// The parser looks through all commands before it reads a word; those that are started often are asked by themselves.
    /// Whatever they do not take, help among it, is answered as ever.
    private static func command(of arguments: [String]) throws -> any ParsableCommand {
        let often: [any ParsableCommand.Type] = [ProxyCommand.self, GateCommand.self]
        if let own = often.first(where: { $0._commandName == arguments.first }),
            let command = try? own.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == own
        {
            return command
        }
        return try Pinproof.parseAsRoot(arguments)
    }
}

/// What an error or a request for help comes to.
struct Ending: Equatable {
    var text: String
    var status: Int32
    /// For stderr, not stdout.
    var isError: Bool

    init(of error: any Error, _ arguments: [String]) {
        // The parser gives its own errors 64, help and version 0, and what it does not know 1.
        let code = Pinproof.exitCode(for: error)
        if let term = Self.negatedTerm(arguments), code == .success || code == .validationFailure {
            let complaint = Complaint(
                "\(term) is read as an option", hints: ["put -- before the filter: ... -- \(term)"], status: .usage)
            self.init(text: complaint.description, status: complaint.status.rawValue, isError: true)
            return
        }
        if code == .success {
            self.init(text: Pinproof.fullMessage(for: error), status: code.rawValue, isError: false)
            return
        }
        if code == .validationFailure, let complaint = Self.unknownSubcommand(arguments) {
            self.init(text: complaint.description, status: complaint.status.rawValue, isError: true)
            return
        }
        var complaint =
            code == .validationFailure ? Self.usage(Pinproof.message(for: error), arguments) : Complaint(error)
        // Of a gate 3 says that the environment supports no verdict; here there is none.
        let isOfGate = arguments.first != FlowsCommand._commandName && arguments.first != DoctorCommand._commandName
        if !isOfGate, complaint.status == .invalid {
            complaint.status = .configuration
        }
        self.init(text: complaint.description, status: complaint.status.rawValue, isError: true)
    }

    /// `pinproof --version --verbose`, which the parser would answer with the short one.
    static func asksForAllVersions(_ arguments: [String]) -> Bool {
        arguments.count == 2 && arguments.contains("--version")
            && (arguments.contains("-v") || arguments.contains("--verbose"))
    }

    /// `-host:x`, which a filter may begin with, where options are still read.
    private static func negatedTerm(_ arguments: [String]) -> String? {
        guard arguments.first == FlowsCommand._commandName else { return nil }
        return arguments.prefix { $0 != "--" }.first { argument in
            let name = argument.dropFirst().prefix { $0 != ":" }
            return argument.hasPrefix("-") && argument.contains(":") && !name.isEmpty
                && name.allSatisfy { $0.isLetter || $0 == "." }
        }
    }

    /// Swift replaces what is no UTF-8: another file would be read or written, and COMMAND given another argument.
    static var argumentWithoutText: Complaint? {
        ProcessControl.argumentWithoutText.map { number, text in
            Complaint(
                "argument \(number) is not UTF-8: \(Printable.excerpt(text))",
                hints: ["rename the file, or make a link to it whose name is UTF-8"], status: .usage)
        }
    }

    /// `gate shop.yaml -- $CMD` where the variable is empty: it would wait for a person, who is not there.
    static func emptyCommand(_ arguments: [String]) -> Complaint? {
        guard arguments.first == GateCommand._commandName, arguments.last == "--",
            arguments.firstIndex(of: "--") == arguments.count - 1
        else { return nil }
        return Complaint(
            "no command follows --",
            hints: ["without -- a person goes through the phases, device in hand", help(for: arguments)], status: .usage
        )
    }

    init(text: String, status: Int32, isError: Bool) {
        self.text = text
        self.status = status
        self.isError = isError
    }

    /// `Unknown option '--ot'. Did you mean '--out'?` is an error and a hint.
    private static func usage(_ message: String, _ arguments: [String]) -> Complaint {
        if let command = commandWithoutTerminator(message, arguments) {
            return Complaint(
                worded(message), hints: ["the command goes after --: \(command)", help(for: arguments)], status: .usage)
        }
        var (text, hints) = (message, [String]())
        if let range = message.range(of: ". Did you mean ") {
            text = String(message[..<range.lowerBound])
            let guess = message[range.upperBound...]
            // The parser guesses more boldly than helps: `--open` for `--port`.
            if let (typed, meant) = Self.quoted(text).first.flatMap({ typed in
                Self.quoted(String(guess)).first.map { (typed, $0) }
            }), Nearest.word(to: typed, among: [meant]) != nil {
                hints.append("did you mean " + guess)
            }
        } else if let range = message.range(of: ". Please provide one of ") {
            text = String(message[..<range.lowerBound])
            let rest = String(message[range.upperBound...])
            let listed = rest.split(whereSeparator: \.isNewline).compactMap { line -> String? in
                let line = line.drop { $0 == " " }
                return line.hasPrefix("- ") ? String(line.dropFirst(2)) : nil
            }
            let values = listed.isEmpty ? Self.quoted(rest) : listed
            hints.append("there are " + English.list(values))
        } else if let meant = meant(message, arguments) {
            hints.append(meant)
        }
        return Complaint(worded(text), hints: hints + [help(for: arguments)], status: .usage)
    }

    /// What stands in single quotes, `<placeholders>` left out.
    private static func quoted(_ text: String) -> [String] {
        text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element.prefix { $0 != " " }) }
    }

    /// An option that is said to be missing, and was mistyped; a subcommand that was.
    private static func meant(_ message: String, _ arguments: [String]) -> String? {
        guard let word = quoted(message).first else { return nil }
        if message.hasPrefix("Missing expected argument") {
            let typed = arguments.prefix { $0 != "--" }.first {
                $0.hasPrefix("--") && $0 != word && Nearest.word(to: $0, among: [word]) != nil
            }
            return typed.map { "did you mean '\(word)' by '\($0)'?" }
        }
        return nil
    }

    /// A word where a subcommand has to stand, and is none: whatever follows it is read by nobody, options included.
    private static func unknownSubcommand(_ arguments: [String]) -> Complaint? {
        let (path, commands, hasDefault) = command(of: arguments)
        guard !commands.isEmpty, path.count <= arguments.count else { return nil }
        let word = arguments[path.count - 1]
        // The parser has a `help` of its own.
        guard !word.hasPrefix("-"), word != "help" else { return nil }
        let known = commands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let meant = Nearest.word(to: word, among: known)
        // A file or a host that the default command is given: what is wrong is something else.
        if hasDefault, meant == nil { return nil }
        let parent = path.count > 1 ? " of \(path.dropFirst().joined(separator: " "))" : ""
        return Complaint(
            "unknown subcommand '\(Printable.escaped(word))'\(parent)",
            hints: [meant.map { "did you mean '\($0)'?" } ?? "there are \(English.list(known))", help(for: arguments)],
            status: .usage)
    }

    /// `gate shop.yaml curl x` as it was meant, `--` before its command; nil where something else is wrong.
    private static func commandWithoutTerminator(_ message: String, _ arguments: [String]) -> String? {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        guard words.first == GateCommand._commandName, !arguments.contains("--") else { return nil }
        // An option that nobody knows is the command's where words of a command stand before it.
        let isUnexpected = message.lowercased().contains("unexpected argument")
        guard isUnexpected || words.count > 2 && message.hasPrefix("Unknown option") else { return nil }
        let isPlain = words.allSatisfy { $0.utf8.allSatisfy(isPlainInShell) && !$0.isEmpty }
        guard words.count > 2, isPlain else { return "pinproof gate PROFILE [options] -- COMMAND" }
        let rest = words.count < arguments.count ? ["..."] : []
        return (["pinproof"] + words.prefix(2) + ["--"] + words.dropFirst(2) + rest).joined(separator: " ")
    }

    /// No shell reads anything into it.
    private static func isPlainInShell(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "./_-:@%+,=".utf8.contains(byte)
        }
    }

    /// The parser's sentence in this program's style: lower case, one line, no full stop.
    static func worded(_ message: String) -> String {
        var text = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        if text.hasSuffix("."), !text.hasSuffix("..") { text.removeLast() }
        guard let first = text.first, text.dropFirst().first?.isUppercase != true else { return text }
        return first.lowercased() + text.dropFirst()
    }

    /// The help that fits what was typed.
    private static func help(for arguments: [String]) -> String {
        "see " + (command(of: arguments).path + ["--help"]).joined(separator: " ")
    }

    /// What was typed, as far as it names a command, and the commands that could follow.
    private static func command(
        of arguments: [String]
    ) -> (path: [String], next: [any ParsableCommand.Type], hasDefault: Bool) {
        var path = ["pinproof"]
        var commands = Pinproof.configuration.subcommands
        var hasDefault = false
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            guard let next = commands.first(where: { $0._commandName == word }) else { break }
            path.append(word)
            commands = next.configuration.subcommands
            hasDefault = next.configuration.defaultSubcommand != nil
        }
        return (path, commands, hasDefault)
    }
}
