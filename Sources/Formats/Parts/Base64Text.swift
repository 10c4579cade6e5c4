import Facts

/// Base64 as others write it: with line breaks, or in the alphabet of URLs.
enum Base64Text {
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        let plain = text.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            case 0x20, 0x0a, 0x0d, 0x09: nil
            default: byte
            }
        }
        return Base64.decoded(plain[...])
    }
}
