/// A position in a profile: line and column, both from 1, columns counted in Unicode scalars.
public struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
    public var line: Int
    public var column: Int

    public init(_ line: Int, _ column: Int) {
        self.line = line
        self.column = column
    }

    public var description: String { "\(line):\(column)" }
    public static func < (a: Self, b: Self) -> Bool { (a.line, a.column) < (b.line, b.column) }
}
