extension CommandEnding {
    /// How it went, for `-v`.
    var words: String {
        let seconds = "\((self.seconds * 10).rounded() / 10) s"
        if interrupted { return "interrupted after \(seconds)" }
        if timedOut { return "ended by --attempt-timeout after \(seconds)" }
        if let signal = signal { return "ended by signal \(signal) after \(seconds)" }
        return exit.map { "exit \($0) after \(seconds)" } ?? "over after \(seconds)"
    }
}
