import GRDB

/// The version of SQLite that is loaded.
package enum SQLiteVersion {
    package static var text: String {
        (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? "?"
    }
}
