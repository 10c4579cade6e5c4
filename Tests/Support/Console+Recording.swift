import Console
import Loop

extension Console {
    /// One whose output is kept.
    package static func recording(
        _ output: Locked<String>, loudness: Loudness = .normal, isTerminal: Bool = false, width: Int = defaultWidth
    ) -> Console {
        let append: Console.Write = { text in output.withLock { $0 += text } }
        return Console(loudness: loudness, isTerminal: isTerminal, width: width, errors: append, results: append)
    }
}
