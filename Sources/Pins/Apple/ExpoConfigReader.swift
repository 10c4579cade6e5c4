import Facts

/// Reads what an Expo project's `app.json` puts into the Info.plist: `expo.ios.infoPlist`.
///
/// It is an Info.plist written as JSON, and is read by the rules of one.
package enum ExpoConfigReader: PinFileReader {
    private static let list = "infoPlist"

    package static func recognises(_ content: PinFileContent) -> Bool {
        guard content.bytes.count <= LinedJSON.sizeLimit,
            content.text?.utf8.first(where: { $0 > 32 }) == UInt8(ascii: "{"),
            ByteSearch.contains(Array("\"\(list)\"".utf8), in: content.bytes),
            [AppleConfigReader.security, AppleConfigReader.domains, TrustKitReader.top].contains(where: {
                ByteSearch.contains(Array($0.utf8), in: content.bytes)
            })
        else { return false }
        // One that is broken is told of by `read`, with its line.
        guard let root = try? LinedJSON.read(content) else { return true }
        return info(in: root).map { AppleConfigReader.isOne($0) || TrustKitReader.configuration(in: $0) != nil }
            ?? false
    }

    package static func read(_ content: PinFileContent, path: String) throws(PinFileFault) -> PinFile {
        let root = try LinedJSON.read(content)
        guard let info = info(in: root) else { throw PinFileFault(line: root.line, "there is no \(list) in it") }
        let reading = AppleConfigReader.reading(of: info, path: path)
        if let first = reading.faults.first { throw first }
        return reading.file
    }

    private static func info(in root: LinedJSON) -> PropertyList? {
        (root["expo"] ?? root)["ios"]?[list].flatMap(value)
    }

    // Recursion is bounded: the reader refuses what lies deeper than 64.
    private static func value(_ json: LinedJSON) -> PropertyList? {
        let value: PropertyList.Value
        switch json.value {
        case .null: return nil
        case .bool(let flag): value = .boolean(flag)
        case .number(let text): value = Int64(text).map { .integer($0) } ?? .real(Double(text) ?? 0)
        case .string(let text): value = .string(text)
        case .array(let values): value = .array(values.compactMap(Self.value))
        case .object(let members):
            value = .dictionary(
                members.compactMap { member in
                    Self.value(member.value).map { .init(member.name, line: member.line, $0) }
                })
        }
        return PropertyList(value, line: json.line)
    }
}
