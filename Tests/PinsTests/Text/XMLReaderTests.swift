import Testing

@testable import Pins

@Suite("XML")
struct XMLReaderTests {
    @Test("elements, attributes and text have their lines")
    func lines() throws {
        let root = try XMLReader.read(
            "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<a x='1'\n   n:y=\"&lt;&#65;\">\n <b>\n  te&amp;xt</b><c/></a>\n")
        #expect(root.name == "a" && root.line == 3)
        #expect(root.attribute("x")?.value == "1" && root.attribute("y") == .init("n:y", "<A", line: 4))
        #expect(root.first("b")?.text == "\n  te&xt" && root.first("b")?.line == 5 && root.first("b")?.textLine == 6)
        #expect(root.children.map(\.name) == ["b", "c"])
    }

    @Test(
        "text is split by a comment or an element between words, not by one before or behind them",
        arguments: [
            ("<a>x<!-- -->y</a>", true), ("<a>x<b/>y</a>", true), ("<a><!-- -->x</a>", false),
            ("<a> <b/> x <!-- --> </a>", false), ("<a>x<![CDATA[y]]></a>", false),
        ])
    func splitText(text: String, isSplit: Bool) throws {
        #expect(try XMLReader.read(text).hasSplitText == isSplit)
    }

    @Test("a property list's DOCTYPE is let pass, CDATA is text")
    func documentType() throws {
        let root = try XMLReader.read(
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD [x] PLIST 1.0//EN\" \"http://a/b.dtd\"><p><![CDATA[<&>]]></p>")
        #expect(root.text == "<&>")
    }

    @Test(
        "what is not well-formed, or declares something, is refused with its line",
        arguments: [
            ("<a>\n<b></a>", 2, "</a> stands where <b> of line 2 should end"),
            (
                "<!DOCTYPE a [<!ENTITY x \"y\">]>\n<a>&x;</a>", 1,
                "its DOCTYPE declares something in [ … ]: no entity is read here, and no file that one names"
            ),
            ("<a>\n\n&x;</a>", 1, "&x; is not known: entities are not read"),
            ("<a", 1, "the file ends within <a> of line 1"),
            ("<a>\n", 2, "the file ends within <a> of line 1"),
            ("<a x=1/>", 1, "the value of x has no quotation marks"),
            ("<a x='1' x='2'/>", 1, "<a> has the attribute x twice"),
            ("<a/><b/>", 1, "there is more than one outermost element"),
            ("", 1, "there is no element in it"),
            ("<a/>text", 1, "text stands outside of the outermost element"),
            ("<a><!-- ", 1, "the file ends within a comment of line 1"),
        ])
    func refused(_ text: String, _ line: Int, _ message: String) {
        // What is well-formed, and refused all the same, is no matter of syntax.
        let isOfSyntax = !text.hasPrefix("<!DOCTYPE")
        let fault = isOfSyntax ? PinFileFault.syntax(line: line, message, nil) : PinFileFault(line: line, message)
        #expect(throws: fault) { try XMLReader.read(text) }
    }

    @Test("of a platform's file it says what becomes of the app; of a bound of ours it does not")
    func platforms() {
        func fault(_ text: String, _ platform: XMLPlatform?) -> PinFileFault? {
            do throws(PinFileFault) { _ = try XMLReader.read(text, of: platform) } catch { return error }
            return nil
        }
        for (platform, word) in [(XMLPlatform.android, "aapt2"), (.apple, "Xcode")] {
            #expect(fault("<a>\n<b></a>", platform)?.effect == .failsClosed)
            #expect(fault("<a>\n<b></a>", platform)?.hints.first?.contains(word) == true)
            let declared = fault("<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", platform)
            #expect(declared?.effect == .unreadable && declared?.line == 1 && declared?.hints.isEmpty == false)
            #expect(fault(String(repeating: "<a>", count: 1_000), platform)?.effect == .unreadable)
        }
        #expect(fault("<a>", nil)?.effect == .unreadable)
    }

    @Test(
        "the outermost element's name, whatever stands before it",
        arguments: [
            ("<a/>", "a"), ("<?xml version='1.0'?>\n<!-- <b> -->\n<n:a>", "a"), ("<!DOCTYPE p \"[x>\"><a>", "a"),
            ("<!DOCTYPE b [<!ENTITY x \"]>\"><!ELEMENT b ANY>]>\n<a>&x;</a>", "a"), ("<!DOCTYPE b [<a>", nil),
            ("x", nil),
        ])
    func rootName(_ text: String, _ name: String?) {
        #expect(XMLRoot.name(of: text) == name)
    }

    @Test("the attributes of an element are bounded, and so is the time that they take")
    func attributes() throws {
        func text(_ count: Int) -> String { "<a\n" + (0..<count).map { " a\($0)='x'" }.joined() + "/>" }
        let limit = XMLReader.attributeLimit
        #expect(try XMLReader.read(text(limit)).attributes.count == limit)
        #expect(throws: PinFileFault(line: 2, "<a> has more than 1000 attributes")) {
            try XMLReader.read(text(200_000))
        }
    }

    @Test("depth is bounded")
    func depth() {
        let text = String(repeating: "<a>", count: 100_000)
        #expect(throws: PinFileFault(line: 1, "elements lie more than 64 deep")) { try XMLReader.read(text) }
    }
}
