import Facts
import GRDB
import Loop

/// Why a store cannot be used, or can no longer be.
package enum StoreError: ExplainedError, Hashable {
    /// There is no such file.
    case missing(path: String)
    /// Some other file, which is left as it is.
    case notAStore(path: String)
    /// Written by a later pinproof; it is left as it is.
    case newer(path: String)
    /// Another process records into it.
    case inUse(path: String)
    case damaged(path: String, reason: String)
    case full(path: String)
    /// Removed, or replaced, while it was in use.
    case removed(path: String)
    case unusable(path: String, reason: String)
    /// By this process, which is about to end.
    case closed(path: String)
    /// A body that was kept in a file beside the store.
    case bodyGone(path: String)
    /// Nobody waits for it any longer (`FlowStore.reader(while:)`).
    case calledOff

    package var cause: ErrorCause { .configuration }

    package var explanations: [Explanation] {
        switch self {
        case .missing(let path):
            [
                Explanation(
                    "\(path): no such file",
                    hints: ["`pinproof proxy` makes it when it records; name another with --store"])
            ]
        case .notAStore(let path):
            [
                Explanation(
                    "\(path): not a file that flows are kept in; it was left as it is",
                    hints: ["name another with --store"])
            ]
        case .newer(let path):
            [
                Explanation(
                    "\(path): written by a later version of pinproof; it was left as it is",
                    hints: ["update pinproof, or name another file with --store"])
            ]
        case .inUse(let path):
            [
                Explanation(
                    "\(path): another pinproof records into it",
                    hints: ["end that one, name another file with --store, or record nothing with --no-store"])
            ]
        case .damaged(let path, let reason):
            [
                Explanation(
                    "\(path): damaged: \(reason)",
                    hints: ["move it away, and a new one is made; or name another with --store"])
            ]
        case .full(let path):
            [
                Explanation(
                    "\(path): no space left on the disk",
                    hints: [
                        "free some, or name another place with --store",
                        "with the proxy ended, `pinproof flows clear --yes` removes all flows, which needs no space",
                    ])
            ]
        case .removed(let path):
            [
                Explanation(
                    "\(path): somebody has removed or replaced it",
                    hints: ["leave it where it is while a proxy records into it (`pinproof flows clear` empties it)"])
            ]
        case .unusable(let path, let reason):
            [Explanation("\(path): cannot be used: \(reason)", hints: ["name another with --store"])]
        case .closed(let path):
            [
                Explanation(
                    "\(path): the proxy that had it open is ending",
                    hints: ["ask again with `pinproof flows --store \(path)`, which needs no proxy"])
            ]
        case .bodyGone(let path):
            [
                Explanation(
                    "\(path): the file with this body is gone, or not whole",
                    hints: ["it was removed or changed by hand; everything else of the flow is in the store"])
            ]
        case .calledOff:
            [Explanation("the search was ended, as whoever had asked was gone", hints: ["ask again, and wait for it"])]
        }
    }

    /// What SQLite's word for it means here.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            let reason = (error.message ?? "\(error.resultCode)").lowercased()
            self =
                switch error.resultCode {
                case .SQLITE_FULL: .full(path: path)
                case .SQLITE_NOTADB: .notAStore(path: path)
                case .SQLITE_CORRUPT: .damaged(path: path, reason: reason)
                case .SQLITE_READONLY:
                    .unusable(
                        path: path,
                        reason:
                            "reading it needs to write beside it, and that is not allowed here; copy the file to a folder where it is"
                    )
                case .SQLITE_CANTOPEN: .unusable(path: path, reason: "it cannot be opened")
                default: .unusable(path: path, reason: reason)
                }
        // Not what it expected to find there: a text for a number.
        case is RowDecodingError:
            self = .damaged(path: path, reason: "a column holds a value of another kind than it should")
        case let error as SystemError where error.isOutOfSpace: self = .full(path: path)
        case let error as any ExplainedError: self = .unusable(path: path, reason: error.description)
        default: self = .unusable(path: path, reason: "\(error)")
        }
    }
}
