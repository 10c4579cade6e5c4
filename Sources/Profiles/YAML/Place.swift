/// A position in a profile: line and column, both from 1, columns in Unicode scalars.
package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package init(_ line: Int, _ column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "\(line):\(column)" }
    package static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
