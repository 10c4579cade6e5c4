/// Finds the elements of one list in a JSON text, as its bytes come.
///
/// So that each is read alone, and the text need not fit into memory.
struct ElementScanner {
    enum Place {
        /// The member of that name of an object in the text's object: `entries` of `{"log": {"entries": […]}}`.
        case member(String)
        /// The text is the list.
        case top
    }

    enum Found: Hashable {
        case element([UInt8])
        /// It was longer than the limit, and is left out.
        case tooLong
    }

    private let place: Place
    private let limit: Int
    private var depth = 0
    private var inString = false
    private var isEscaped = false
    /// The last string at the depth where the list's name stands.
    private var word: [UInt8] = []
    private var keepsWord = false
    private var name: [UInt8] = []
    private var inList = false
    /// The list was found.
    private(set) var isFound = false
    private var element: [UInt8] = []
    private var inElement = false
    private var isTooLong = false

    init(_ place: Place, limit: Int) {
        self.place = place
        self.limit = limit
    }

    private var listDepth: Int {
        if case .top = place { 1 } else { 3 }
    }

    /// The text ended within the list.
    var isCut: Bool { inList || inElement }

    mutating func read(_ bytes: ArraySlice<UInt8>) -> [Found] {
        var found: [Found] = []
        var start = bytes.startIndex
        for at in bytes.indices {
            let byte = bytes[at]
            if inString {
                readInString(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                inString = true
                keepsWord = depth == 2 && !inList
                if keepsWord { word = [] }
            case UInt8(ascii: ":"): if depth == 2 { name = word }
            case UInt8(ascii: ","): if depth == 2 { name = [] }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if inList, depth == listDepth {
                    inElement = true
                    start = at
                } else if byte == UInt8(ascii: "["), depth == listDepth - 1, isNamed {
                    inList = true
                    isFound = true
                }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if inElement, depth == listDepth {
                    hold(bytes[start...at])
                    found.append(isTooLong ? .tooLong : .element(element))
                    (element, inElement, isTooLong) = ([], false, false)
                } else if inList, depth < listDepth {
                    inList = false
                }
            default: break
            }
        }
        if inElement { hold(bytes[start...]) }
        return found
    }

    private mutating func readInString(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            inString = false
        } else if keepsWord, word.count < 32 {
            word.append(byte)
        }
    }

    private var isNamed: Bool {
        switch place {
        case .top: true
        case .member(let member): name == Array(member.utf8)
        }
    }

    private mutating func hold(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLong, bytes.count <= limit - element.count else {
            isTooLong = true
            element = []
            return
        }
        element += bytes
    }
}
