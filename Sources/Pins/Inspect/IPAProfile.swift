/// A provisioning profile: a property list that Apple has signed (CMS, RFC 5652).
///
/// Nothing is verified here; the list is found by how it begins and ends, as it stands in one piece in the message.
enum IPAProfile {
    static func list(in bytes: [UInt8]) -> PropertyList? {
        let end = Array("</plist>".utf8)
        guard
            let start = ByteSearch.first(Array("<?xml".utf8), in: bytes)
                ?? ByteSearch.first(Array("<plist".utf8), in: bytes),
            let last = ByteSearch.first(end, in: bytes, from: start)
        else { return nil }
        return try? PropertyList.read(PinFileContent(Array(bytes[start..<(last + end.count)])))
    }
}
