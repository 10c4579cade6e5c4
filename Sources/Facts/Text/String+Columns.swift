extension String {
    /// Blanks behind it, up to so many columns.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Blanks before it.
    package func indented(by columns: Int) -> String { String(repeating: " ", count: max(0, columns)) + self }
}
