#if canImport(FoundationXML)
    import FoundationXML
#endif
import Foundation

/// A document as a real XML parser sees it: its elements, their attributes and their text.
final class XMLSkeleton: NSObject, XMLParserDelegate {
    struct Element: Equatable {
        var path: String
        var attributes: [String: String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    /// nil where it is not well formed.
    init?(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    /// Element paths and attribute names alone.
    var shape: [String] { elements.map { "\($0.path) \($0.attributes.keys.sorted())" } }

    func all(_ name: String) -> [Element] { elements.filter { $0.path.hasSuffix("/\(name)") } }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let parent = open.last.map { elements[$0].path } ?? ""
        open.append(elements.count)
        elements.append(Element(path: "\(parent)/\(name)", attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let index = open.last { elements[index].text += string }
    }
}
