import Facts
import Loop

/// Where results go, chosen by an option of a command's own.
package enum OutputPlace {
    /// - Parameter option: as it is typed: `pins backup --out DIR`.
    /// - Throws: `PinsError` that names it where nothing can be written there.
    package static func choosing(_ option: String, _ write: () throws(FileError) -> Void) throws {
        do throws(FileError) { try write() } catch {
            guard case .cannotWrite(let path, let reason) = error else { throw error }
            throw PinsError(
                .environment, "\(path): cannot write: \(reason)",
                hints: Files.hints(reason, else: "name a place that can be written to: \(option)"))
        }
    }
}
