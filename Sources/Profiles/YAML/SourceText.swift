/// A profile's text as YAML may read it: UTF-8, bounded, without control characters.
struct SourceText {
    /// 1 MiB holds some 20,000 host rules; what is larger was not written for this.
    static let maxBytes = 1 << 20

    /// Private-use characters stand in for others while YAML is composed (`YAMLComposer`): files must not have them.
    static let standIns: ClosedRange<UInt32> = 0xE000...0xE0FF

    /// Without a byte order mark.
    let scalars: [Unicode.Scalar]
    /// Where each line begins in `scalars`, by YAML 1.1's line breaks, which libyaml counts.
    private let lineStarts: [Int]

    struct Unfit: Error {
        var fault: ProfileError.Fault
        var place: Place?
    }

    init(_ bytes: some Collection<UInt8>) throws(Unfit) {
        guard bytes.count <= Self.maxBytes else { throw Unfit(fault: .tooLarge(bytes: bytes.count), place: nil) }
        let head = Array(bytes.prefix(2))
        let looksLikeUTF16 = head == [0xFF, 0xFE] || head == [0xFE, 0xFF]
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var lineStarts = [0]
        var iterator = bytes.makeIterator()
        var decoder = UTF8()
        decoding: while true {
            let place = Place(lineStarts.count, scalars.count - (lineStarts.last ?? 0) + 1)
            switch decoder.decode(&iterator) {
            case .emptyInput: break decoding
            case .error: throw Unfit(fault: .notUTF8(looksLikeUTF16: looksLikeUTF16), place: place)
            case .scalarValue(let scalar):
                if scalar.value == 0xFEFF, scalars.isEmpty { continue }
                guard Self.isAllowed(scalar) else { throw Unfit(fault: .forbiddenCharacter(scalar), place: place) }
                // The second half of CR LF belongs to the break that CR has begun.
                if scalar == "\n", scalars.last == "\r" {
                    lineStarts[lineStarts.count - 1] += 1
                } else if Self.breaksLine(scalar) {
                    lineStarts.append(scalars.count + 1)
                }
                scalars.append(scalar)
            }
        }
        self.scalars = scalars
        self.lineStarts = lineStarts
    }

    /// The position of a place in `scalars`; nil beyond the end.
    func index(of place: Place) -> Int? {
        guard place.line >= 1, place.line <= lineStarts.count, place.column >= 1, place.column <= scalars.count + 1
        else { return nil }
        let index = lineStarts[place.line - 1] + place.column - 1
        return index < scalars.count ? index : nil
    }

    /// The line that a place is in, without its break.
    func line(of place: Place) -> [Unicode.Scalar] {
        guard place.line >= 1, place.line <= lineStarts.count else { return [] }
        return Array(scalars[lineStarts[place.line - 1]...].prefix { !Self.breaksLine($0) })
    }

    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// YAML 1.2 §5.1, less the stand-ins and marks that only serve to confuse.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x85: true
        case Self.standIns, 0xFEFF: false
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
