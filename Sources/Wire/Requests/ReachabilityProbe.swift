/// Requests by which systems find out whether there is a network.
///
/// Or a captive portal before it. They go in the clear on purpose, and carry nothing that a pin protects: a well-known path, no query, no content, and
/// no field but those that every client sends alike.
enum ReachabilityProbe {
    /// - Parameter path: the request's, as it is sent on.
    static func matches(_ http: HTTPHead, path: ArraySlice<UInt8>) -> Bool {
        let method = http.text(http.method)
        guard method.elementsEqual(get) || method.elementsEqual(head), paths.contains(Array(path)) else { return false }
        return http.fields.allSatisfy { field in
            if cacheFields.contains(where: { http.has(field, $0) }) {
                return cacheValues.contains { http.text(field.value).elementsEqual($0) }
            }
            return fields.contains { http.has(field, $0) } && field.value.count <= valueLimit
        }
    }

    private static let get = Array("GET".utf8)
    private static let head = Array("HEAD".utf8)

    /// Android and Chrome; iOS and macOS; Windows; Firefox; GNOME and KDE.
    private static let paths = Set(
        [
            "/generate_204", "/gen_204", "/hotspot-detect.html", "/library/test/success.html", "/connecttest.txt",
            "/ncsi.txt", "/success.txt", "/canonical.html", "/check_network_status.txt",
        ].map { Array($0.utf8) })

    /// Cookies, credentials and fields of an app's own are not among them.
    private static let fields = [
        "host", "user-agent", "accept", "accept-encoding", "accept-language", "connection", "proxy-connection",
        "proxy-authorization", "keep-alive", "upgrade-insecure-requests",
    ].map { StaticName($0) }

    private static let cacheFields = ["cache-control", "pragma"].map { StaticName($0) }
    /// What browsers and systems say there.
    private static let cacheValues = ["no-cache", "no-store", "max-age=0", "no-cache, no-store", "no-store, no-cache"]
        .map { Array($0.utf8) }

    /// Bytes; browsers' user agents are somewhat shorter.
    private static let valueLimit = 160
}
