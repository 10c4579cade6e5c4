import Facts

/// What `--label NAME=VALUE` says of a run: its build, commit, device.
package enum RunLabels {
    /// More than these is a whole environment; a header is one line of evidence, and each report shows them all.
    static let limit = 64
    static let nameLimit = 64
    static let valueLimit = 1024

    /// What is wrong with one of them.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case noEquals(String)
        case noName(String)
        case repeated(String)
        case tooLong(String)
        case tooMany

        package var description: String {
            switch self {
            case .noEquals(let text): "--label \"\(Printable.escaped(text))\" has no value: it is written NAME=VALUE"
            case .noName(let text): "--label \"\(Printable.escaped(text))\" has no name: it is written NAME=VALUE"
            case .repeated(let name): "--label \(Printable.escaped(name)) is given twice"
            case .tooLong(let name):
                "--label \(Printable.escaped(name)) is too long: a name has at most \(nameLimit) bytes, a value "
                    + "\(valueLimit)"
            case .tooMany: "more than \(limit) labels"
            }
        }
    }

    /// By name; blanks around a name are not its own, and a value may be empty and hold `=`.
    package static func parse(_ texts: [String]) throws(Fault) -> [String: String] {
        guard texts.count <= limit else { throw .tooMany }
        var labels: [String: String] = [:]
        for text in texts {
            guard let equals = text.firstIndex(of: "=") else { throw .noEquals(text) }
            var name = text[..<equals].drop { $0 == " " }
            while name.last == " " { name.removeLast() }
            guard !name.isEmpty else { throw .noName(text) }
            let value = text[text.index(after: equals)...]
            guard name.utf8.count <= nameLimit, value.utf8.count <= valueLimit else {
                throw .tooLong(String(name.prefix(nameLimit)))
            }
            guard labels.updateValue(String(value), forKey: String(name)) == nil else { throw .repeated(String(name)) }
        }
        return labels
    }
}
