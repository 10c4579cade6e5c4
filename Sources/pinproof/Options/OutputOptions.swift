import ArgumentParser
import Console
import Gate
import Loop
import Report

/// How much is told.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say only the outcome, warnings and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more: how each trial went, or of the proxy every connection.")
    var verbose = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("-q and -v exclude one another") }
    }

    var console: Console { .standard(loudness: loudness, columns: Terminal.columns(of: .error)) }

    /// For what must not wait for a terminal that is held, or a pipe that nobody reads.
    var patient: (console: Console, finish: @Sendable () -> Void) {
        Console.patient(loudness: loudness, columns: Terminal.columns(of: .error))
    }

    private var loudness: Console.Loudness { quiet ? .quiet : verbose ? .verbose : .normal }
}

extension OutputOptions {
    /// Of the terminal that a result goes to; nil where it goes elsewhere, and may be as wide as it is.
    var columns: Int? {
        guard StandardStream.output.isTerminal else { return nil }
        return max(40, Terminal.columns(of: .output) ?? Console.defaultWidth)
    }
}

/// How a result is printed.
struct ResultOptions: ParsableArguments {
    @Flag(help: "No colours. (NO_COLOR=1 does the same; FORCE_COLOR=1 has them where there is no terminal)")
    var noColor = false

    @Flag(help: "The JSON report on stdout, and nothing else there.")
    var json = false

    /// What `COLUMNS` says, or the terminal that the result goes to; else a file and a CI system's log are as wide as a table
    /// may be.
    static var columns: Int {
        Terminal.columns(of: .output)
            ?? (StandardStream.output.isTerminal ? Console.defaultWidth : TableReport.widest)
    }

    func printer(on console: Console) -> ResultPrinter {
        ResultPrinter(
            console: console, json: json, color: !noColor && Terminal.hasColor, unicode: Terminal.hasUnicode,
            annotates: Terminal.environment["GITHUB_ACTIONS"] == "true", columns: Self.columns)
    }
}
