import Facts

/// A piece of a report: only our literals are structure, what is interpolated is escaped.
///
/// Hosts, reasons and names may come from a client, so there is no other way to put text into markup.
struct Markup<Language: MarkupLanguage>: Hashable, Sendable, ExpressibleByStringInterpolation {
    private(set) var source: String

    private init(source: String) { self.source = source }

    init(stringLiteral source: String) { self.source = source }

    init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { source += literal }
        mutating func appendInterpolation(_ text: some StringProtocol) { source += Language.escaped(String(text)) }
        mutating func appendInterpolation(_ number: some BinaryInteger) { source += String(number) }
        mutating func appendInterpolation(_ markup: Markup) { source += markup.source }
    }

    static func text(_ text: some StringProtocol) -> Markup { Markup(source: Language.escaped(String(text))) }

    /// Several lines of text, each safe on its own: only our newlines are newlines.
    static func lines(_ lines: [String]) -> Markup { lines.map(Self.text).joined(separator: "\n") }

    static func + (a: Markup, b: Markup) -> Markup { Markup(source: a.source + b.source) }
    static func += (a: inout Markup, b: Markup) { a.source += b.source }
}

typealias HTMLText = Markup<HTML>
typealias MarkdownText = Markup<Markdown>
typealias XMLText = Markup<XML>

extension Markup where Language: Hypertext {
    /// Our own sentences mark what is to be typed with backquotes.
    static func prose(_ text: String) -> Markup {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index % 2 == 0 ? Self.text(part) : "<code>\(part)</code>"
        }.joined()
    }
}

extension Sequence {
    func joined<Language>(separator: Markup<Language> = "") -> Markup<Language> where Element == Markup<Language> {
        var (all, isFirst): (Markup<Language>, Bool) = ("", true)
        for element in self {
            if !isFirst { all += separator }
            all += element
            isFirst = false
        }
        return all
    }
}

/// What a report is written in, by how it says text that means nothing in it.
protocol MarkupLanguage: Sendable {
    static func escaped(_ text: String) -> String
}

/// It has HTML's elements.
protocol Hypertext: MarkupLanguage {}

/// XML 1.0: for quoted attributes and for the text of elements alike.
enum XML: MarkupLanguage {
    /// What XML 1.0 cannot hold at all (most control characters) is among what `Printable` writes as `\u{…}`, so nothing
    /// is lost and nothing breaks a parser.
    static func escaped(_ text: String) -> String {
        Printable.escaped(text).replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&apos;"])
    }
}

/// HTML, quoted attributes included.
enum HTML: Hypertext {
    static func escaped(_ text: String) -> String {
        Printable.escaped(text).replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }
}

/// GitHub-flavoured Markdown, table cells included.
enum Markdown: Hypertext {
    /// Every character that Markdown or HTML gives a meaning is written as an entity, which neither reads as
    /// structure; the beginnings of automatic links and mentions too.
    static func escaped(_ text: String) -> String {
        var out = Printable.escaped(text).replacing([
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\\": "&#92;", "`": "&#96;", "*": "&#42;", "_": "&#95;",
            "[": "&#91;", "]": "&#93;", "|": "&#124;", "~": "&#126;", "@": "&#64;", "$": "&#36;", "#": "&#35;",
            "!": "&#33;",
        ])
        out.replace("://", with: "&#58;//")
        for www in ["www.", "WWW."] { out.replace(www, with: www.dropLast() + "&#46;") }
        return out
    }
}

extension String {
    fileprivate func replacing(_ entities: [Unicode.Scalar: String]) -> String {
        guard unicodeScalars.contains(where: { entities[$0] != nil }) else { return self }
        var out = ""
        for scalar in unicodeScalars {
            if let entity = entities[scalar] { out += entity } else { out.unicodeScalars.append(scalar) }
        }
        return out
    }
}
