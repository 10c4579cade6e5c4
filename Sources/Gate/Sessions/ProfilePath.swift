import Loop

/// Where a profile lies, as a code host knows it: alerts point to a file of the repository.
enum ProfilePath {
    /// Nobody nests folders deeper than file systems' paths go.
    private static let depthLimit = 256

    /// From the top of the repository that it is in, else from the working folder; as it is where it lies in neither.
    static func inRepository(_ path: String) -> String {
        let path = Files.absolute(path)
        var folder = parent(of: path)
        for _ in 0..<depthLimit {
            guard let inner = folder, !inner.isEmpty else { break }
            // A work tree of its own has a file there, which names the folder.
            if Files.exists("\(inner)/.git") { return String(path.dropFirst(inner.count + 1)) }
            folder = parent(of: inner)
        }
        return Files.relative(path)
    }

    private static func parent(of path: String) -> String? {
        path.lastIndex(of: "/").map { String(path[..<$0]) }
    }
}
