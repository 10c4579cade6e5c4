/// One element of an XML document (XML 1.0), with the line of each thing in it.
///
/// Configuration files are small and trusted by nobody: there are no entities but the five of XML itself and character
/// references, a document that declares some is refused, and depth, elements and size are bounded.
package struct XMLElement: Hashable, Sendable {
    package struct Attribute: Hashable, Sendable {
        /// As written, with its prefix.
        package var name: String
        package var value: String
        package var line: Int
        /// What Android's resource compiler has made of it; nil in text.
        package var compiled: CompiledValue?

        package init(_ name: String, _ value: String, line: Int, compiled: CompiledValue? = nil) {
            self.name = name
            self.value = value
            self.line = line
            self.compiled = compiled
        }

        package var localName: String { XMLElement.local(name) }
    }

    /// As written, with its prefix.
    package var name: String
    package var attributes: [Attribute]
    package var children: [XMLElement]
    /// All text directly in it, put together; comments are no text.
    package var text: String
    /// Of its start tag, from 1.
    package var line: Int
    /// Of the first character of `text` that is no white space; that of the start tag where there is none.
    package var textLine: Int
    /// A comment or an element stands between parts of `text` that are not blank: compilers make two texts of it.
    package var hasSplitText = false

    package init(
        _ name: String, attributes: [Attribute] = [], children: [XMLElement] = [], text: String = "", line: Int = 1,
        textLine: Int? = nil
    ) {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
        self.line = line
        self.textLine = textLine ?? line
    }

    package var localName: String { Self.local(name) }

    /// By its local name: Android's attributes may have a prefix.
    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.localName == name } }
    package func elements(_ name: String) -> [XMLElement] { children.filter { $0.localName == name } }
    package func first(_ name: String) -> XMLElement? { children.first { $0.localName == name } }

    static func local(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
