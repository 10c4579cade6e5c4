import Facts

extension ReportInput {
    /// `"22 of 28 were ended after 30.0 s (--attempt-timeout), 11 min in all; …"`: starts in which COMMAND did not end by itself.
    ///
    /// Nil where all did.
    var forcedEndLine: String? {
        var starts = 0
        var forced: [Double] = []
        for run in runs {
            for case .trialEnded(let end) in run.records.lazy.map(\.record) {
                starts += 1
                if end.timedOut { forced.append(end.seconds) }
            }
        }
        guard let longest = forced.max() else { return nil }
        let all = Summary.duration(forced.reduce(0, +))
        return
            "COMMAND was ended after \(Summary.duration(longest)) in \(forced.count) of \(English.count(starts, "start")), \(all) "
            + "in all (--attempt-timeout): a run takes less time where it ends by itself once the app was refused"
    }
}
