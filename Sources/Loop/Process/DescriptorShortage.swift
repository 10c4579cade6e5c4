import Facts

/// Too few files and sockets can be open for what is to be done.
package struct DescriptorShortage: ExplainedError, Hashable {
    package let needed: Int
    /// What the system allows the process; nil where it is open connections that leave too few.
    package let limit: Int?

    package init(needed: Int, limit: Int?) {
        self.needed = needed
        self.limit = limit
    }

    package var description: String {
        guard let limit else { return "too many open files: fewer than the \(needed) that are needed are left" }
        return "too few files may be open: \(needed) are needed, and the limit is \(limit)"
    }

    package var cause: ErrorCause { .environment }
    package var explanations: [Explanation] { [Explanation(description, hints: [Self.hint])] }

    /// What to do about it.
    package static let hint =
        "ulimit -n 4096 in the shell that starts pinproof allows more (in a container: --ulimit nofile=4096)"
}
