import Facts
import Testing

@testable import Flows

private let digest = (0..<32).map { UInt8(truncatingIfNeeded: $0 &* 35 &+ 200) }
private let base64 = Base64.encode(digest)
private let hex = Hex.encode(digest)

/// What is found in a text that comes in pieces of each length.
private func found(_ text: String, in piece: Int = .max) -> [[UInt8]] {
    var search = DigestSearch()
    var found: [[UInt8]] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        search.read(rest.prefix(piece)) { found.append($0) }
        rest = rest.dropFirst(piece)
    }
    search.end { found.append($0) }
    return found
}

@Test("a hash is found in every form in which people write pins, however the text is cut")
func forms() {
    let urlSafe = String(base64.dropLast().map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    let escaped = base64.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "\\/")
    let pairs = digest.map { Hex.encode([$0]).uppercased() }
    let texts: [String] = [
        base64, "{\"pins\":[\"sha256/\(base64)\"]}", "pin-sha256=\"\(base64)\"; max-age=1", "sha256//\(base64)",
        "{\"pin\":\"sha256\\/\(escaped)\"}", "{\"pin\":\"\(base64.dropLast())\\u003d\"}", urlSafe,
        "key: \(hex)", hex.uppercased(), "SHA256:\(pairs.joined(separator: ":"))", "<pin>\(base64)</pin>",
        "line\\n\(base64.dropLast())\\nline",
        // As .NET and PHP write JSON, and as a form does.
        "{\"pin\":\"\(base64.replacing("+", with: "\\u002b").replacing("/", with: "\\u002F"))\"}",
        "pin=\(base64.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D"))&next=1",
        // As Java's properties are written, and behind a percent sign that means nothing.
        "pin=" + pairs.joined(separator: "\\:"), urlSafe.replacing("-", with: "\\-").replacing("_", with: "\\_"),
        "100%\(base64)", "1%\(hex)",
        // Byte by byte: .NET's BitConverter, C, Java's Arrays.toString, JSON of an array, OpenSSL's and others' groups.
        "{\"pin\":\"\(pairs.joined(separator: "-"))\"}", "{ \(pairs.map { "0x\($0)" }.joined(separator: ", ")) }",
        "{\(digest.map { "0X" + String($0, radix: 16) }.joined(separator: ","))}",
        "pin \(digest.map { String(Int8(bitPattern: $0)) }.description.replacing("\"", with: "")) is it",
        "[\(digest.map { String($0) }.joined(separator: ","))]", "pin: \(pairs.joined(separator: " ")) is it",
        pairs.joined(separator: "\\n"), pairs.joined(separator: "\r\n"),
        (0..<8).map { pairs[4 * $0..<4 * $0 + 4].joined() }.joined(separator: " "),
    ]
    #expect(base64.contains("+") && base64.contains("/"))
    for text in texts {
        for piece in [1, 7, Int.max] { #expect(found(text, in: piece) == [digest], "\(text)") }
    }
}

@Test("what is longer or shorter than a hash is none, and neither is a word that 32 bytes are not written as")
func others() {
    let longer = String(repeating: "A", count: 100) + base64
    let others: [String] = ["", "pins", String(base64.dropFirst()), longer, String(hex.dropLast()) + "g"]
    for text in others { #expect(!found(text).contains(digest), "\(text)") }
    #expect(found(String(repeating: "z", count: 43)).isEmpty)
    // A whole key or certificate, byte by byte, and numbers that are no bytes.
    let numbers = digest.map { String($0) }
    for list in [
        numbers + ["7"], ["x"] + numbers + ["1"], Array(numbers.dropLast()), Array(numbers.dropLast()) + ["256"],
    ] {
        #expect(found("[\(list.joined(separator: ", "))]").isEmpty)
    }
    let signed = digest.dropLast().map { String(Int8(bitPattern: $0)) } + ["-129"]
    #expect(found(signed.joined(separator: ",")).isEmpty)
}

/// Turns every byte around, so that nothing is found unless it was asked.
private final class Inverter: ContentDecoder {
    let isCut = false
    let isWhole = true
    func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] { bytes.map { ~$0 } }
}

private let limit = 5000

private func read(_ answer: [UInt8], alpn: String? = "http/1.1", in piece: Int = .max) -> [[UInt8]] {
    var found: [[UInt8]] = []
    let tools = DecodingTools(content: { (name: String, _: Int) in name == "inverted" ? Inverter() : nil })
    let answers = AnswerDigests(alpn: alpn, tools: tools, limit: limit) { found.append($0) }
    answers.read(Array("GET /\(base64) HTTP/1.1\r\nHost: cdn.test\r\nX: \(base64)\r\n\r\n".utf8)[...], .up)
    var rest = answer[...]
    while !rest.isEmpty {
        answers.read(rest.prefix(piece), .down)
        rest = rest.dropFirst(piece)
    }
    answers.end()
    return found
}

private func answer(_ fields: String = "", _ content: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(content.count)\r\n\r\n".utf8) + content
}

@Test("answers are read in their fields and their content, with its codings removed, and requests are not")
func answers() {
    let pins = Array("{\"pins\": [\"\(base64)\"]}".utf8)
    let inverted: [UInt8] = pins.map { ~$0 }
    for piece in [1, 10, Int.max] {
        #expect(read(answer("", Array("no".utf8)), in: piece).isEmpty)
        #expect(read(answer("", pins), in: piece) == [digest])
        #expect(read(answer("Content-Encoding: inverted\r\n", inverted), in: piece) == [digest])
        #expect(read(answer("X-Pin: \(base64)\r\n", []), in: piece) == [digest])
    }
    // Of a coding that nobody knows nothing can be said.
    #expect(read(answer("Content-Encoding: unknown\r\n", pins)).isEmpty)
    let half = pins.count / 2
    var chunked = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let chunks: [[UInt8]] = [Array(pins.prefix(half)), Array(pins.dropFirst(half)), []]
    for chunk in chunks {
        chunked += Array("\(String(chunk.count, radix: 16))\r\n".utf8)
        chunked += chunk
        chunked += Array("\r\n".utf8)
    }
    #expect(read(chunked) == [digest])
    #expect(read(Array("pins \(base64)\n".utf8), alpn: "pins/1") == [digest])
}

@Test("no more than a limit is read of an answer")
func noMore() {
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: limit)
    let pin = Array("\(base64) ".utf8)
    let (within, beyond): ([UInt8], [UInt8]) = (Array(padding.dropLast(50)) + pin, padding + pin)
    #expect(read(answer("", within)) == [digest])
    #expect(read(answer("", beyond)).isEmpty)
}
