import Facts
import Flows

/// `headers` of a HAR file.
enum HARHeaders {
    /// Without HTTP/2's pseudo-header fields, which Chrome writes among them.
    ///
    /// - Parameter isOwn: pinproof has written it, and every field was there, however odd its name.
    static func read(_ json: JSONValue?, isOwn: Bool = false) -> [HeaderField] {
        if let members = json?.members {
            // A few write an object.
            return members.compactMap { member in member.value.string.map { HeaderField(member.name, $0) } }
        }
        return (json?.array ?? []).compactMap { field in
            guard let name = field["name"]?.string, isOwn || !name.hasPrefix(":") && !name.isEmpty else {
                return nil
            }
            let value = field["value"]?.string ?? ""
            let isLatin1 = field["_pinproofLatin1"]?.bool == true && value.unicodeScalars.allSatisfy { $0.value < 256 }
            return HeaderField(name, value, isLatin1: isLatin1)
        }
    }
}
