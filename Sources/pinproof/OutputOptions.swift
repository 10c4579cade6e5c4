import ArgumentParser
import Console
import Gate
import Loop

/// How much is told.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say only the outcome, warnings and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Also say how each trial went; of the proxy, every connection.")
    var verbose = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("-q and -v exclude one another") }
    }

    var console: Console {
        .standard(
            loudness: quiet ? .quiet : verbose ? .verbose : .normal, columns: Terminal.environment["COLUMNS"])
    }
}

extension OutputOptions {
    /// Of the terminal that a result goes to; nil where it goes elsewhere, and may be as wide as it is.
    var columns: Int? {
        guard StandardStream.output.isTerminal else { return nil }
        if Terminal.environment["COLUMNS"].flatMap({ Int($0) }) != nil { return console.width }
        return StandardStream.output.columns.map { max(40, $0) } ?? console.width
    }
}

/// How a result is printed.
struct ResultOptions: ParsableArguments {
    @Flag(help: "No colours. (NO_COLOR=1 does the same)")
    var noColor = false

    @Flag(help: "The JSON report on stdout, and nothing else there.")
    var json = false

    func printer(on console: Console) -> ResultPrinter {
        ResultPrinter(
            console: console, json: json, color: !noColor && Terminal.hasColor, unicode: Terminal.hasUnicode)
    }
}
