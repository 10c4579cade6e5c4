import Loop

/// The page's files, which are part of the program.
enum PageFiles {
    static let all = EmbeddedFile.page

    /// `/` is the page, `/assets/NAME` what belongs to it.
    static func file(at path: [String]) -> EmbeddedFile? {
        switch path.count {
        case 0: byName["index.html"]
        case 2 where path[0] == "assets": byName[path[1]]
        default: nil
        }
    }

    /// What the onboarding page is put together from; of no use by itself.
    static var parts: [(name: String, text: String)] {
        all.filter { $0.name.hasPrefix("onboarding") && $0.name.hasSuffix(".html") }
            .map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension EmbeddedFile {
    /// Of the name's ending.
    var type: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
