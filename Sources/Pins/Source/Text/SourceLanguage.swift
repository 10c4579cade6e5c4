/// A programming language, as far as its tokens differ from another's.
enum SourceLanguage: String, Sendable, CaseIterable {
    case kotlin, java, swift, objectiveC, dart, cpp, script, python

    /// By the file's name, which nobody gives wrong to a compiler, and else by words that only one language has.
    init?(path: String, text: String) {
        let name = path.split(separator: "/").last ?? ""
        if let dot = name.lastIndex(of: "."),
            let language = Self.languages[name[name.index(after: dot)...].lowercased()]
        {
            self = language == .cpp && Self.isObjectiveC(text) ? .objectiveC : language
            return
        }
        guard let language = Self.guess(text) else { return nil }
        self = language
    }

    private static let languages: [String: SourceLanguage] = [
        "kt": .kotlin, "kts": .kotlin, "java": .java, "groovy": .java, "scala": .java, "swift": .swift,
        "m": .objectiveC, "mm": .objectiveC, "dart": .dart, "h": .cpp, "hpp": .cpp, "c": .cpp, "cc": .cpp, "cpp": .cpp,
        "cxx": .cpp, "js": .script, "jsx": .script, "mjs": .script, "cjs": .script, "ts": .script, "tsx": .script,
        "go": .script, "py": .python,
    ]

    /// Files that are about code, and none.
    static let prose: Set<String> = ["md", "markdown", "rst", "html", "htm", "adoc", "smali", "log", "csv"]

    private static func isObjectiveC(_ text: String) -> Bool {
        ["@interface", "@implementation", "@import", "#import", "@\""].contains { text.contains($0) }
    }

    /// In the order of how surely a word tells: a Swift file may well have a `val`, no Kotlin file has an `#import`.
    private static func guess(_ text: String) -> SourceLanguage? {
        func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        if isObjectiveC(text), has(" *", ";\n", "];") { return .objectiveC }
        if has("import 'package:", "import \"package:", "import 'dart:", "import \"dart:", "extends StatelessWidget") {
            return .dart
        }
        if has("fun ", "val "), has("val ", "fun ", "object "), !has("func ", ";\n") { return .kotlin }
        if has(
            "import Foundation", "import UIKit", "import TrustKit", "import Alamofire", "import Security", "func ",
            "guard let ")
        {
            return .swift
        }
        if has("import okhttp3.", "package ", "public class ", "import java", "new "), has(";") {
            return has("fun ", "val ") && !has("public class ", "public final class ") ? .kotlin : .java
        }
        if has("#include") { return .cpp }
        if has("require(", "=> ", "function ", "const ", "module.exports") { return .script }
        if has("def ", "import requests", "import ssl", "import httpx", "import urllib3") { return .python }
        if has("kTSKPinnedDomains", "ServerTrustManager") { return has("@{") ? .objectiveC : .swift }
        if has("CertificatePinner") { return has("new CertificatePinner", ";") ? .java : .kotlin }
        if has("allowedSHAFingerprints", "badCertificateCallback") { return .dart }
        if has("rejectUnauthorized") { return .script }
        return has("verify=False", "verify = False") ? .python : nil
    }

    /// A comment may stand within a comment.
    var nestsComments: Bool { self == .kotlin || self == .swift || self == .dart }
    /// What is looked for in scripts is told by neighbours alone: a bundle of them may lie as deep as it will.
    var isRefusedWhereDeep: Bool { self != .script && self != .python }
    /// `'` begins a string, and no character.
    var hasSingleQuotedStrings: Bool { self == .dart || self == .script || self == .python }
    /// Strings side by side are one.
    var joinsStrings: Bool { self == .objectiveC || self == .cpp || self == .dart || self == .python }
    var hasTripleQuotes: Bool { self == .kotlin || self == .java || self == .swift || self == .dart || self == .python }
    var hasPreprocessor: Bool { self == .objectiveC || self == .cpp || self == .swift }
    /// `{ … }` behind a call, or by itself, is a function.
    var hasTrailingClosures: Bool { self == .kotlin || self == .swift }
    /// `{a, b}` is a list where a value stands.
    var hasBracedLists: Bool { self == .java || self == .objectiveC || self == .cpp }
    /// `{k: v}` is a dictionary where a value stands.
    var hasBracedDictionaries: Bool { self == .dart || self == .script || self == .python }
    var hasTernary: Bool { self != .kotlin && self != .python }
    /// Types stand before names: `String host = …`.
    var typesComeFirst: Bool { self == .java || self == .objectiveC || self == .cpp || self == .dart }
}
