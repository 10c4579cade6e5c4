import Facts

/// A value of a property list (Apple's plist(5)), with the line that it stands in.
///
///     let root = try PropertyList.read(content)
///     root["NSAppTransportSecurity"]?["NSPinnedDomains"]?.entries
///
/// XML and binary ones are read; a binary one has no lines, so all of it stands in line 1.
package struct PropertyList: Hashable, Sendable {
    /// A key of a dictionary and what it stands for.
    package struct Entry: Hashable, Sendable {
        package var key: String
        /// Of the key itself, from 1.
        package var line: Int
        package var value: PropertyList

        package init(_ key: String, line: Int = 1, _ value: PropertyList) {
            self.key = key
            self.line = line
            self.value = value
        }
    }

    package enum Value: Hashable, Sendable {
        /// In the order of the file, duplicates too.
        case dictionary([Entry])
        case array([PropertyList])
        case string(String)
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 1970, in UTC.
        case date(Double)
        case data([UInt8])
        /// What only a keyed archive has: the number of another of its objects.
        case reference(UInt64)
    }

    package var value: Value
    /// From 1.
    package var line: Int

    package init(_ value: Value, line: Int = 1) {
        self.value = value
        self.line = line
    }

    /// Dictionaries and arrays within each other: a configuration needs ten, and walking them costs stack.
    static let depthLimit = 64
    /// Values, each counted as often as it is referred to; the largest Info.plist has some thousand.
    static let nodeLimit = 200_000

    /// - Throws: where it is none, is broken, is of the old style or is over a bound.
    package static func read(_ content: PinFileContent) throws(PinFileFault) -> PropertyList {
        switch PropertyListForm(of: content) {
        case .binary: return try BinaryPropertyList.read(content.bytes)
        case .xml(let text): return try XMLPropertyList.read(text)
        case .oldStyle:
            throw PinFileFault(
                line: 1, "it is a property list of the old style ({ key = value; }), which is not read",
                hints: ["convert it first: plutil -convert xml1 FILE"])
        case nil: throw PinFileFault(line: 1, "this is no property list")
        }
    }

    // MARK: Looking

    /// nil where this is no dictionary or has no such key; of duplicates the last, which is what Foundation keeps.
    package subscript(key: String) -> PropertyList? { entry(key)?.value }

    package func entry(_ key: String) -> Entry? { entries.last { $0.key == key } }

    /// Empty where this is no dictionary.
    package var entries: [Entry] { if case .dictionary(let entries) = value { entries } else { [] } }

    package var isDictionary: Bool { if case .dictionary = value { true } else { false } }

    package var array: [PropertyList]? { if case .array(let values) = value { values } else { nil } }

    package var string: String? { if case .string(let text) = value { text } else { nil } }

    /// Only of a real boolean: `<true/>`, not 1 and not YES.
    package var boolean: Bool? { if case .boolean(let flag) = value { flag } else { nil } }

    /// As Foundation's `boolValue` sees it: of a number, and of a string such as `YES`; nil for what has none.
    package var truth: Bool? {
        switch value {
        case .boolean(let flag): return flag
        case .integer(let number): return number != 0
        case .real(let number): return number != 0
        case .string(let text):
            // NSString: white space, a sign and zeros are passed over, then Y, y, T, t or 1 to 9 is true.
            let rest = text.drop { $0.isWhitespace }
            let digits = (rest.first == "+" || rest.first == "-" ? rest.dropFirst() : rest).drop { $0 == "0" }
            return digits.utf8.first.map { "YyTt123456789".utf8.contains($0) } ?? false
        case .dictionary, .array, .date, .data, .reference: return nil
        }
    }

    /// What it is, for a message: `a string`.
    package var kind: String {
        switch value {
        case .dictionary: "a dictionary"
        case .array: "an array"
        case .string: "a string"
        case .boolean: "a boolean"
        case .integer, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .reference: "a reference"
        }
    }
}
