/// Text to `XMLElement`s.
///
///     let root = try XMLReader.read(text)     // throws where it is not well-formed, with the line
package struct XMLReader {
    /// Elements within elements; configuration files need ten, and each costs stack where the tree is walked.
    static let depthLimit = 64
    /// Attributes of one element; the largest manifest has some thirty.
    static let attributeLimit = 1_000
    /// Elements and attributes; the largest Info.plist has some thousand.
    static let nodeLimit = 200_000
    /// Bytes; the same.
    static let sizeLimit = 16 << 20

    private struct Open {
        var element: XMLElement
        var text: [UInt8] = []
        var textLine: Int?
        /// Text that is not blank has ended at a comment or an element.
        var textHasEnded = false
    }

    private let bytes: [UInt8]
    private let platform: XMLPlatform?
    private var at = 0
    private var line = 1
    private var nodes = 0
    private var open: [Open] = []
    private var root: XMLElement?

    /// - Parameter platform: whose file it is: a fault then says what becomes of an app whose file is not well-formed.
    /// - Throws: where it is not well-formed, declares entities or is over a bound.
    package static func read(_ text: String, of platform: XMLPlatform? = nil) throws(PinFileFault) -> XMLElement {
        var reader = XMLReader(bytes: Array(text.utf8), platform)
        return try reader.document()
    }

    private init(bytes: [UInt8], _ platform: XMLPlatform?) {
        self.bytes = bytes
        self.platform = platform
    }

    /// It is not well-formed.
    private func fault(_ message: String, line: Int? = nil) -> PinFileFault {
        .syntax(line: line ?? self.line, message, platform)
    }

    /// A bound of this reader.
    private func limit(_ message: String) -> PinFileFault { PinFileFault(line: line, message) }

    private mutating func document() throws(PinFileFault) -> XMLElement {
        guard bytes.count <= Self.sizeLimit else {
            throw PinFileFault(
                line: nil, "it has more than \(Self.sizeLimit >> 20) MB, the most that is read of an XML file")
        }
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "<") {
                try markup()
            } else {
                try characters()
            }
        }
        if let last = open.last {
            throw fault("the file ends within <\(last.element.name)> of line \(last.element.line)")
        }
        guard let root else { throw fault("there is no element in it") }
        return root
    }

    private mutating func markup() throws(PinFileFault) {
        if skip("<!--") {
            endText()
            try skipPast("-->", of: "a comment")
        } else if skip("<![CDATA[") {
            let start = at
            let firstLine = line
            try skipPast("]]>", of: "a CDATA section")
            try add(bytes[start..<(at - 3)], line: firstLine)
        } else if skip("<?") {
            try skipPast("?>", of: "a processing instruction")
        } else if skip("<!DOCTYPE") {
            try documentType()
        } else if skip("</") {
            try endTag()
        } else {
            advance()
            try startTag()
        }
    }

    /// What Apple's property lists begin with is let pass; declarations within it are not.
    private mutating func documentType() throws(PinFileFault) {
        guard open.isEmpty, root == nil else { throw fault("a DOCTYPE stands within the document") }
        var quote: UInt8?
        while at < bytes.count {
            let byte = bytes[at]
            if let inner = quote {
                if byte == inner { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw PinFileFault(
                    line: line,
                    "its DOCTYPE declares something in [ … ]: no entity is read here, and no file that one names",
                    hints: platform.map { [$0.declared] } ?? [])
            } else if byte == UInt8(ascii: ">") {
                advance()
                return
            }
            advance()
        }
        throw fault("the file ends within its DOCTYPE")
    }

    private mutating func startTag() throws(PinFileFault) {
        let start = line
        guard root == nil || !open.isEmpty else { throw fault("there is more than one outermost element") }
        guard open.count < Self.depthLimit else { throw limit("elements lie more than \(Self.depthLimit) deep") }
        var element = XMLElement(try name("an element"), line: start)
        try count()
        var names: Set<String> = []
        while true {
            let hadSpace = skipSpace()
            guard at < bytes.count else { throw fault("the file ends within <\(element.name)> of line \(start)") }
            if skip("/>") {
                close(element)
                return
            }
            if skip(">") {
                open.append(Open(element: element))
                return
            }
            guard hadSpace else { throw fault("<\(element.name)> has something that is no attribute") }
            let attributeLine = line
            let key = try name("an attribute")
            skipSpace()
            guard skip("=") else { throw fault("the attribute \(key) has no value") }
            skipSpace()
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
                throw fault("the value of \(key) has no quotation marks")
            }
            let quote = bytes[at]
            advance()
            let from = at
            while at < bytes.count, bytes[at] != quote {
                guard bytes[at] != UInt8(ascii: "<") else { throw fault("the value of \(key) has a < in it") }
                advance()
            }
            guard at < bytes.count else { throw fault("the file ends within the value of \(key)", line: attributeLine) }
            let value = try decoded(bytes[from..<at], line: attributeLine)
            advance()
            guard names.insert(key).inserted else { throw fault("<\(element.name)> has the attribute \(key) twice") }
            guard names.count <= Self.attributeLimit else {
                throw limit("<\(element.name)> has more than \(Self.attributeLimit) attributes")
            }
            try count()
            element.attributes.append(.init(key, String(decoding: value, as: UTF8.self), line: attributeLine))
        }
    }

    private mutating func endTag() throws(PinFileFault) {
        let name = try name("an element")
        skipSpace()
        guard skip(">") else { throw fault("the end tag of \(name) is broken") }
        guard let last = open.popLast() else { throw fault("</\(name)> ends an element that has not begun") }
        guard last.element.name == name else {
            throw fault("</\(name)> stands where <\(last.element.name)> of line \(last.element.line) should end")
        }
        var element = last.element
        element.text = String(decoding: last.text, as: UTF8.self)
        element.textLine = last.textLine ?? element.line
        close(element)
    }

    private mutating func endText() {
        if let last = open.indices.last, open[last].textLine != nil { open[last].textHasEnded = true }
    }

    private mutating func close(_ element: XMLElement) {
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].element.children.append(element)
            endText()
        }
    }

    private mutating func characters() throws(PinFileFault) {
        let start = at
        let firstLine = line
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") { advance() }
        let text = bytes[start..<at]
        guard open.isEmpty else {
            try add(ArraySlice(decoded(text, line: firstLine)), line: firstLine)
            return
        }
        guard text.allSatisfy(Self.isSpace) else {
            throw fault("text stands outside of the outermost element", line: firstLine)
        }
    }

    private mutating func add(_ text: ArraySlice<UInt8>, line: Int) throws(PinFileFault) {
        guard !open.isEmpty else { throw fault("text stands outside of the outermost element", line: line) }
        if let first = text.firstIndex(where: { !Self.isSpace($0) }) {
            if open[open.count - 1].textHasEnded { open[open.count - 1].element.hasSplitText = true }
            if open[open.count - 1].textLine == nil {
                open[open.count - 1].textLine = line + text[..<first].count { $0 == 10 }
            }
        }
        open[open.count - 1].text += text
    }

    /// References resolved: the five names of XML, and characters by number.
    private func decoded(_ raw: ArraySlice<UInt8>, line: Int) throws(PinFileFault) -> [UInt8] {
        guard raw.contains(UInt8(ascii: "&")) else { return Array(raw) }
        var out: [UInt8] = []
        var i = raw.startIndex
        while i < raw.endIndex {
            guard raw[i] == UInt8(ascii: "&") else {
                out.append(raw[i])
                i += 1
                continue
            }
            // The longest is &#1114111; and leading zeros are nobody's habit.
            guard let end = raw[i...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else {
                throw fault("an & begins nothing that ends with ;", line: line)
            }
            let name = String(decoding: raw[(i + 1)..<end], as: UTF8.self)
            switch name {
            case "amp": out.append(UInt8(ascii: "&"))
            case "lt": out.append(UInt8(ascii: "<"))
            case "gt": out.append(UInt8(ascii: ">"))
            case "quot": out.append(UInt8(ascii: "\""))
            case "apos": out.append(UInt8(ascii: "'"))
            default:
                let isHex = name.hasPrefix("#x")
                guard name.hasPrefix("#"), let code = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
                    code != 0, let scalar = Unicode.Scalar(code)
                else { throw fault("&\(name); is not known: entities are not read", line: line) }
                out += Array(String(Character(scalar)).utf8)
            }
            i = end + 1
        }
        return out
    }

    private mutating func count() throws(PinFileFault) {
        nodes += 1
        guard nodes <= Self.nodeLimit else { throw limit("it has more than \(Self.nodeLimit) elements and attributes") }
    }

    private mutating func name(_ what: String) throws(PinFileFault) -> String {
        let start = at
        while at < bytes.count, Self.isName(bytes[at]) { at += 1 }
        guard at > start, at - start <= 1024 else { throw fault("\(what) has no name, or a strange one") }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    @discardableResult private mutating func skipSpace() -> Bool {
        let start = at
        while at < bytes.count, Self.isSpace(bytes[at]) { advance() }
        return at > start
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let wanted = text.description.utf8
        guard bytes[at...].starts(with: wanted) else { return false }
        at += wanted.count
        return true
    }

    private mutating func skipPast(_ text: String, of what: String) throws(PinFileFault) {
        let start = line
        let wanted = Array(text.utf8)
        while at < bytes.count {
            if bytes[at] == wanted[0], bytes[at...].starts(with: wanted) {
                at += wanted.count
                return
            }
            advance()
        }
        throw fault("the file ends within \(what) of line \(start)")
    }

    private mutating func advance() {
        if bytes[at] == 10 { line += 1 }
        at += 1
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            true
        default: false
        }
    }
}
