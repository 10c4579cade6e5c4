/// Tells a result in every place where it belongs, and knows what became of that.
///
/// Each step is tried whatever became of those before. Who waits for a report that was never written must not read a
/// pass in the exit status; that a host did the opposite is true whether it could be written down or not.
package struct Delivery {
    package private(set) var complaints: [Complaint] = []

    package init() {}

    package mutating func attempt(_ step: () throws -> Void) {
        do { try step() } catch { complaints.append(Complaint(error)) }
    }

    /// What the process ends with: the verdict's own status, or that it supports none.
    package func status(of verdict: ExitStatus, on console: Console) -> ExitStatus {
        for complaint in complaints { console.warn(complaint.description) }
        return complaints.isEmpty || verdict == .fail ? verdict : .invalid
    }
}
