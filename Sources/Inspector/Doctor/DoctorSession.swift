import Console

/// One run of `pinproof doctor`: examines, and tells.
package struct DoctorSession: Sendable {
    package var options: Doctor.Options
    package var isJSON = false
    /// Columns that there are.
    package var width: Int
    package var isColored = false
    package var hasUnicode = true

    package init(_ options: Doctor.Options, width: Int) {
        self.options = options
        self.width = width
    }

    /// - Returns: nil where it was interrupted.
    package func run(_ console: Console, _ interruption: Interruption) async throws -> ExitStatus? {
        console.status("asking the proxy and the clients …")
        let report = await withTaskGroup(of: DoctorReport?.self) { tasks in
            tasks.addTask { await Doctor(options).examine() }
            tasks.addTask {
                await interruption.wait()
                return nil
            }
            // What it has started is ended before this returns.
            defer { tasks.cancelAll() }
            return await tasks.next() ?? nil
        }
        guard let report else { return nil }
        let text = DoctorText(
            width: width, isColored: isColored, hasUnicode: hasUnicode, isQuiet: console.loudness == .quiet)
        try console.result(isJSON ? report.json : text.text(report))
        if !isJSON { console.say(report.summary) }
        return report.exitStatus
    }
}
