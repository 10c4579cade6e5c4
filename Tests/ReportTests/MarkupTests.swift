import Testing

@testable import Report

@Suite struct MarkupTests {
    @Test("XML: markup becomes entities, what XML cannot hold is written out")
    func xml() {
        #expect(XML.escaped("<a b=\"c\">&'") == "&lt;a b=&quot;c&quot;&gt;&amp;&apos;")
        #expect(XML.escaped("\u{0}\u{b}\u{fffe}\n]]>") == #"\u{0}\u{b}\u{fffe}\u{a}]]&gt;"#)
        #expect(XMLText.lines(["a\nb", "c"]).source == "a\\u{a}b\nc")
    }

    @Test("HTML: text cannot open a tag or close an attribute; backquotes of ours become code")
    func html() {
        #expect(HTML.escaped("</title><script>'\"") == "&lt;/title&gt;&lt;script&gt;&#39;&quot;")
        #expect(HTMLText.prose("say `a<b>` twice").source == "say <code>a&lt;b&gt;</code> twice")
    }

    @Test("Markdown: no character that could become structure, a link or a mention is left")
    func markdown() {
        #expect(Markdown.escaped("|`*_[x](y)~<b>\\") == "&#124;&#96;&#42;&#95;&#91;x&#93;(y)&#126;&lt;b&gt;&#92;")
        #expect(
            Markdown.escaped("https://a.example www.b.example @me #1 $x$")
                == "https&#58;//a.example www&#46;b.example &#64;me &#35;1 &#36;x&#36;")
        #expect(Markdown.escaped("a\n# b") == "a&#92;u{a}&#35; b")
    }

    @Test("what is interpolated is escaped, unless it is markup already")
    func interpolation() {
        let inner: HTMLText = "<b>\("<i>")</b>"
        #expect(HTMLText("<p>\("a&b") \(inner) \(7)</p>").source == "<p>a&amp;b <b>&lt;i&gt;</b> 7</p>")
        #expect([inner, "&"].joined(separator: "<br>").source == "<b>&lt;i&gt;</b><br>&")
    }
}
