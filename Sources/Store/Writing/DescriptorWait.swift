import GRDB
import Loop

/// Whether a store's file that could not be opened is to be tried again.
///
/// Descriptors that others hold they give back some time. A file that cannot be opened for another reason is a fault.
struct DescriptorWait {
    /// Seconds before the next try.
    static let pause = 0.1
    /// Seconds of failing after which it is given up: by a recorder that is to end, and where there are descriptors.
    static let patience = 5.0

    private var since: Double?

    /// Something was written, or looked after.
    mutating func succeeded() { since = nil }

    /// Whether to try again.
    ///
    /// - Parameters:
    ///   - isClosing: somebody waits for the recorder's end.
    ///   - now: seconds of a clock that is never set back.
    ///   - isShort: whether there is no descriptor at this moment.
    mutating func isWorthwhile(
        after error: any Error, isClosing: Bool, at now: Double, isShort: () -> Bool = Self.isShort
    ) -> Bool {
        let isCertain = (error as? SystemError)?.isOutOfDescriptors == true
        // SQLite does not say why. Somebody may have given one back since.
        guard isCertain || (error as? DatabaseError)?.resultCode == .SQLITE_CANTOPEN else { return false }
        let began = since ?? now
        since = began
        return now - began < Self.patience || !isClosing && (isCertain || isShort())
    }

    static func isShort() -> Bool { (try? DescriptorLimit.requireFree(1)) == nil }
}
