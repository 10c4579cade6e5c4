/// The parts of SARIF 2.1.0 that every report of ours writes alike.
extension JSONWriter {
    /// A message (section 3.11) of plain text.
    ///
    /// Brackets begin links and braces placeholders in it, and readers differ in how they are escaped: none is left, so
    /// that text of a client can be neither. Nor are backquotes, which are shown as they are.
    package mutating func sarifMessage(_ text: String) {
        let plain: [Character: Character] = ["[": "(", "]": ")", "{": "(", "}": ")", "`": "'"]
        beginObject(inline: true)
        field("text", String(Printable.escaped(text).map { plain[$0] ?? $0 }))
        endObject()
    }

    /// The only location (section 3.28) of a result: a line, from 1, of the file at a relative reference, and its host.
    package mutating func sarifLocations(uri: String, line: Int, host: String?) {
        key("locations")
        beginArray()
        beginObject()
        key("physicalLocation")
        beginObject(inline: true)
        key("artifactLocation")
        beginObject()
        field("uri", uri)
        endObject()
        key("region")
        beginObject()
        field("startLine", max(1, line))
        endObject()
        endObject()
        if let host {
            key("logicalLocations")
            beginArray(inline: true)
            beginObject()
            field("name", host)
            field("kind", "resource")
            endObject()
            endArray()
        }
        endObject()
        endArray()
    }
}
