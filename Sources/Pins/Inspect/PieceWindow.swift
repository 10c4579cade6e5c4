/// The part of a member that is being looked at, while its content comes in pieces.
///
/// What stands across the border of two pieces is seen whole: the end of one is kept until the next has come.
struct PieceWindow {
    /// Looked at in one go; larger pieces are cut, so that what is held does not depend on them.
    static let step = 64 << 10

    private(set) var bytes: [UInt8] = []
    /// Of the first byte, in the member.
    private(set) var offset = 0
    /// Nothing comes any more.
    private(set) var isLast = false

    /// - Parameter keeping: from where in `bytes` on they are still needed.
    mutating func add(_ piece: ArraySlice<UInt8>, keeping start: Int) {
        bytes.removeFirst(start)
        offset += start
        bytes += piece
    }

    mutating func end() { isLast = true }
}
