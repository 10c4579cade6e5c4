/// Requests by which systems find out whether there is a network.
///
/// Or a captive portal before it. They go in the clear on purpose, and carry nothing that a pin protects: a well-known path, no query, no content, and
/// no field but those that every client sends alike.
enum ReachabilityProbe {
    /// - Parameters:
    ///   - authority: the URL's, whole: somebody's name and password in it are no probe's.
    ///   - path: the request's, as it is sent on.
    static func matches(_ http: HTTPHead, authority: ArraySlice<UInt8>, path: ArraySlice<UInt8>) -> Bool {
        let method = http.text(http.method)
        guard method.elementsEqual(get) || method.elementsEqual(head), paths.contains(Array(path)) else { return false }
        return http.fields.allSatisfy { field in
            if cacheFields.contains(where: { http.has(field, $0) }) {
                return cacheValues.contains { http.text(field.value).elementsEqual($0) }
            }
            let value = http.text(field.value)
            if http.has(field, .host) { return isSame(value, authority) }
            if http.has(field, accept) {
                return ASCII.list(http.bytes, field.value).allSatisfy { isMediaRange(http.text($0)) }
            }
            if http.has(field, acceptLanguage) {
                return ASCII.list(http.bytes, field.value).allSatisfy { isLanguage(http.text($0)) }
            }
            if let known = listed.first(where: { http.has(field, $0.name) }) {
                return ASCII.list(http.bytes, field.value).allSatisfy { one in
                    let word = http.text(one).prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
                    // A coding's weight (RFC 9110 §12.4.2), a keep-alive's number.
                    let number = http.text(one).dropFirst(word.count)
                    return number.count <= 7 && number.allSatisfy { numeric.contains($0) }
                        && known.words.contains { ASCII.equal(word, $0) }
                }
            }
            return fields.contains { http.has(field, $0) } && value.count <= valueLimit
        }
    }

    /// The Host field may leave the usual port out, or say it.
    private static func isSame(_ host: ArraySlice<UInt8>, _ authority: ArraySlice<UInt8>) -> Bool {
        func bare(_ text: ArraySlice<UInt8>) -> String {
            let text = String(decoding: text, as: UTF8.self).lowercased()
            return text.hasSuffix(":80") ? String(text.dropLast(3)) : text
        }
        return bare(host) == bare(authority)
    }

    /// RFC 9110 §12.5.1, of a type that there is.
    private static func isMediaRange(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 60 && ["*/", "text/", "image/", "application/"].contains { text.starts(with: $0.utf8) }
    }

    /// RFC 9110 §12.5.4: `*`, or a language of two or three letters, its country or script, and a weight.
    private static func isLanguage(_ text: ArraySlice<UInt8>) -> Bool {
        let primary = text.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ";") }
        return text.count <= 20 && (primary.elementsEqual("*".utf8) || 2...3 ~= primary.count)
    }

    private static let accept = StaticName("accept")
    private static let acceptLanguage = StaticName("accept-language")

    private static let get = Array("GET".utf8)
    private static let head = Array("HEAD".utf8)

    /// Android and Chrome; iOS and macOS; Windows; Firefox; GNOME and KDE.
    private static let paths = Set(
        [
            "/generate_204", "/gen_204", "/hotspot-detect.html", "/library/test/success.html", "/connecttest.txt",
            "/ncsi.txt", "/success.txt", "/canonical.html", "/check_network_status.txt",
        ].map { Array($0.utf8) })

    /// Cookies, credentials and fields of an app's own are not among them.
    private static let fields = ["user-agent", "proxy-authorization"].map { StaticName($0) }

    /// Those that say one of a few words.
    private static let listed = [
        (name: "accept-encoding", words: ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "identity", "*"]),
        ("connection", ["close", "keep-alive"]), ("proxy-connection", ["close", "keep-alive"]),
        ("keep-alive", ["timeout", "max", "60", "115", "300"]), ("upgrade-insecure-requests", ["1"]),
    ].map { (name: StaticName($0.name), words: $0.words.map { Array($0.utf8) }) }

    private static let numeric = Array(";= q.0123456789".utf8)

    private static let cacheFields = ["cache-control", "pragma"].map { StaticName($0) }
    /// What browsers and systems say there.
    private static let cacheValues = ["no-cache", "no-store", "max-age=0", "no-cache, no-store", "no-store, no-cache"]
        .map { Array($0.utf8) }

    /// Bytes; browsers' user agents are somewhat shorter.
    private static let valueLimit = 160
}
