/// What a CA is trusted on, each in its own way; in the order of the page.
enum Platform: String, CaseIterable, Sendable {
    case ios, android, emulators, macos, windows, linux, firefox, java, node, python, flutter
    case reactNative = "react-native"

    /// The steps, among the page's files.
    var file: String { "onboarding-\(rawValue).html" }

    /// What a browser says that it runs on; nil where that is none of these.
    ///
    /// An iPad says that it is a Mac, and finds its steps right behind.
    init?(userAgent: String) {
        let words: [(word: String, platform: Platform)] = [
            ("iPhone", .ios), ("iPad", .ios), ("Android", .android), ("Windows", .windows), ("Macintosh", .macos),
            ("Linux", .linux),
        ]
        guard let found = words.first(where: { userAgent.contains($0.word) }) else { return nil }
        self = found.platform
    }
}
