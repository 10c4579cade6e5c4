import Facts
import Loop

/// What can go wrong around a run: with COMMAND, the plan, or the anchors.
package enum GateError: ExplainedError, Hashable {
    /// The word as given, and whether it was looked for in PATH.
    case commandNotFound(String, inPath: Bool)
    case commandNotExecutable(String)
    case commandIsFolder(String)
    /// A script whose first line names a program that is not there; the program as it stands there.
    case interpreterNotFound(String, program: String)
    /// Text without a first line that says what runs it.
    case commandWithoutInterpreter(String)
    case commandNotStarted(String, reason: String)
    /// The two starts of `check` and `init` came to nothing, for this reason.
    case notLooked(String)
    /// `init` overwrites nothing.
    case profileExists(String)
    case planNotApplied(trial: Int, reason: String)
    /// `anchors` of a host holds the CA to forge with.
    case anchorIsForgingCA(host: String, path: String)

    package var cause: ErrorCause {
        switch self {
        case .commandNotFound, .commandNotExecutable, .commandIsFolder, .profileExists, .interpreterNotFound,
            .commandWithoutInterpreter:
            .commandLine
        case .commandNotStarted, .planNotApplied, .notLooked: .environment
        case .anchorIsForgingCA: .configuration
        }
    }

    package var explanations: [Explanation] { [explanation] }

    private var explanation: Explanation {
        switch self {
        case .commandNotFound("", _):
            Explanation("the command after -- is empty", hints: ["is a variable that names it not set?"])
        case .commandNotFound(let word, inPath: true):
            Explanation(
                "command not found: \(word)",
                hints: ["it was looked for in PATH; a path such as ./\(word) is taken from the current folder"])
        case .commandNotFound(let word, inPath: false):
            Explanation(
                "command not found: \(word)", hints: ["a relative path is taken from the current folder"])
        case .commandNotExecutable(let path):
            Explanation("command not executable: \(path)", hints: ["chmod +x \(path)"])
        case .commandIsFolder(let path):
            Explanation("command is a folder: \(path)", hints: ["name the program after --"])
        case .interpreterNotFound(let path, let program):
            Explanation(
                "command cannot be run: the first line of \(path) names \(Printable.escaped(program)), which is not there",
                hints: [
                    program.hasSuffix("\r")
                        ? "its lines end as those of Windows do: save it with LF alone (sed -i 's/\\r$//' \(path))"
                        : "correct what follows #!, or install it"
                ])
        case .commandWithoutInterpreter(let path):
            Explanation(
                "command cannot be run: \(path) is a text that does not say what runs it",
                hints: ["begin it with a line such as #!/bin/sh"])
        case .commandNotStarted(let path, let reason):
            Explanation(
                "\(path): cannot be started: \(reason)",
                hints: Files.hints(reason, else: "a script needs a first line such as #!/bin/sh"))
        case .notLooked(let reason): Explanation("nothing can be said: \(reason)")
        case .profileExists(let path):
            Explanation(
                "\(path) exists", hints: ["name another file with --out, or remove it: init overwrites nothing"])
        case .planNotApplied(let trial, let reason): Explanation("trial \(trial) could not begin: \(reason)")
        case .anchorIsForgingCA(let host, let path):
            Explanation(
                "\(path): this is the CA to forge with, and stands under the anchors of \(host)",
                hints: ["anchors are the roots of the genuine server, and the only ones that the app trusts"])
        }
    }
}
