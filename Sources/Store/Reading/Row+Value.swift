import GRDB

extension Row {
    /// What stands in a column, or the error that it is of another type.
    ///
    /// A store may have come from anybody. GRDB's own subscript ends the process where a number was expected and a text is there.
    func value<T: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> T {
        try decode(atIndex: column)
    }

    /// The same, and nil where nothing stands there.
    func optional<T: DatabaseValueConvertible & StatementColumnConvertible>(_ column: Int) throws -> T? {
        try decode(T?.self, atIndex: column)
    }
}
