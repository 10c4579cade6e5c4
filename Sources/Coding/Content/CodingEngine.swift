/// One C library's decoder: bytes in, bytes out, into memory that is lent to it.
protocol CodingEngine: AnyObject {
    /// Reads some of `input` and writes some of `output`, which has room.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> EngineStep

    /// What was read ends where the coding says that its content ends.
    var isWhole: Bool { get }

    /// The most bytes of its output that it keeps to refer back to.
    static var window: Int { get }
}

/// What an engine did in one step.
struct EngineStep {
    enum Outcome: Hashable {
        /// There may be more to be had from the same input.
        case working
        /// All of the input was read, and everything that it says was written.
        case hungry
        /// In the library's words. The engine cannot be used any more.
        case failed(String)
    }

    /// Bytes of the input.
    var read: Int
    /// Bytes of the output, also where it failed.
    var written: Int
    var outcome: Outcome
}
