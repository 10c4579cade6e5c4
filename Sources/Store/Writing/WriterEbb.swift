/// When the writer is done, and memory may go back to the system.
///
/// The C library keeps what was freed in case it is wanted again, and nobody else asks it for what recorder and writer
/// have used. Looking for pages to give back takes some 100 ms a GB, so it is done after much and while little comes.
struct WriterEbb {
    /// Bytes written after which it pays at the first idle moment.
    static let much = 32 << 20
    /// The same once nothing has come for so many seconds: others have let go of theirs by then.
    static let some = 1 << 20
    static let quietSeconds = 3.0

    /// Bytes since the last time.
    private var written = 0
    private var writtenAt = -Double.infinity

    mutating func wrote(_ bytes: Int, at now: Double) {
        written += bytes
        writtenAt = now
    }

    /// The index is no longer behind: it has used as much again, though nothing has come.
    mutating func indexed() { written = max(written, Self.some) }

    /// Asked while no batch waits.
    ///
    /// - Parameters:
    ///   - isIdle: there is nothing to index or to prune either.
    ///   - now: seconds of a clock that is never set back.
    /// - Returns: true once after each time that there is enough.
    mutating func isOver(isIdle: Bool, at now: Double) -> Bool {
        let isQuiet = now - writtenAt >= Self.quietSeconds
        guard written >= (isQuiet ? Self.some : isIdle ? Self.much : .max) else { return false }
        // After much, once more when it has stayed quiet.
        written = isQuiet ? 0 : Self.some
        return true
    }
}
