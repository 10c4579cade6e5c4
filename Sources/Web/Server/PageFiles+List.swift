extension PageFiles {
    /// Every file of `Page`: a test holds them against the folder.
    static let all: [File] = [
        File(name: "index.html", bytes: PackageResources.index_html)
    ]
}
