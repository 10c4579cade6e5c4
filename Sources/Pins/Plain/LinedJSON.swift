import Facts

/// A value of a JSON text (RFC 8259), with the line that it stands in.
package struct LinedJSON: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package var name: String
        /// Of the name, from 1.
        package var line: Int
        package var value: LinedJSON
    }

    package enum Value: Hashable, Sendable {
        case null
        case bool(Bool)
        /// As it is written.
        case number(String)
        case string(String)
        case array([LinedJSON])
        /// In the order of the text, duplicates too.
        case object([Member])
    }

    package var value: Value
    /// From 1.
    package var line: Int

    /// Deeper ones are refused: those who look at a value do it by recursion.
    static let depthLimit = 64
    /// Values and names; the largest configuration of an app has some thousand.
    static let nodeLimit = 200_000
    /// Bytes; the same.
    static let sizeLimit = 16 << 20

    /// The one value of a text; a mark before it is no part of it.
    ///
    /// - Throws: where it is no JSON or is over a bound, with the line.
    package static func read(_ content: PinFileContent) throws(PinFileFault) -> LinedJSON {
        guard content.bytes.count <= sizeLimit else {
            throw PinFileFault(
                line: nil, "it has more than \(sizeLimit >> 20) MB, the most that is read of a JSON file")
        }
        guard let text = content.text else { throw PinFileFault(line: nil, "it is no text in UTF-8") }
        var reader = LinedJSONReader(Array(text.utf8))
        return try reader.document()
    }

    /// The last member of that name, as nearly every reader takes it.
    package subscript(name: String) -> LinedJSON? { member(name)?.value }
    package func member(_ name: String) -> Member? { members.last { $0.name == name } }

    /// Empty where this is no object.
    package var members: [Member] { if case .object(let members) = value { members } else { [] } }
    package var isObject: Bool { if case .object = value { true } else { false } }
    package var array: [LinedJSON]? { if case .array(let values) = value { values } else { nil } }
    package var string: String? { if case .string(let text) = value { text } else { nil } }
    package var bool: Bool? { if case .bool(let flag) = value { flag } else { nil } }

    /// Members whose name another one behind them has as well: they count for nothing.
    package var overwritten: [Member] { parted.overwritten }
    /// The others.
    package var effective: [Member] { parted.effective }

    private var parted: (effective: [Member], overwritten: [Member]) {
        var seen: Set<String> = []
        var (effective, overwritten): ([Member], [Member]) = ([], [])
        for member in members.reversed() {
            if seen.insert(member.name).inserted { effective.append(member) } else { overwritten.append(member) }
        }
        return (effective.reversed(), overwritten.reversed())
    }
}
