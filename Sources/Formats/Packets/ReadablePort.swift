/// A server's port under which Wireshark reads what a connection carries.
///
/// Wireshark takes much of what passes on a port of its list for that port's protocol, whatever it is: TLS on 8080 for HTTP
/// that it cannot read, HTTP on 6000 for X11. Elsewhere it looks at the bytes. A real port stays wherever it can; another one
/// is said in a comment on the connection's first packet.
package enum ReadablePort {
    package enum Content: Hashable, Sendable {
        case http, tls, socks

        /// By what the client says first.
        package init(first byte: UInt8) {
            switch byte {
            case 0x16: self = .tls
            case 0x05: self = .socks
            default: self = .http
            }
        }
    }

    /// The port to write; the real one wherever that can be read.
    package static func port(_ port: UInt16, carrying content: Content) -> UInt16 {
        if isNeutral(port) { return port }
        switch content {
        case .http: return http.contains(port) || port == 443 ? port : 80
        case .tls: return 443
        case .socks: return 1080
        }
    }

    /// Anything can be read on it.
    package static func isNeutral(_ port: UInt16) -> Bool { port >= 1024 && !taken.contains(port) }

    /// Those on which HTTP alone is read.
    package static let http: Set<UInt16> = [80, 631, 1900, 2710, 2869, 3128, 3132, 3689, 5985, 8080, 8088, 11371]

    /// Above the well-known ones: ports on which Wireshark 4.0 did not read HTTP, or TLS, when each was tried.
    private static let taken: Set<UInt16> = Set([
        1080, 1090, 1099, 1102, 1153, 1194, 1213, 1344, 1433, 1533, 1547, 1723, 1861, 1863, 1883, 1900, 1935, 2099,
        2123, 2126, 2152, 2234, 2240, 2269, 2321, 2322, 2345, 2401, 2404, 2433, 2501, 2502, 2571, 2575, 2600, 2710,
        2812, 2869, 2944, 2945, 3002, 3003, 3006, 3014, 3016, 3017, 3018, 3019, 3128, 3132, 3245, 3246, 3247, 3248,
        3268, 3288, 3306, 3357, 3369, 3386, 3452, 3478, 3632, 3671, 3689, 3724, 3804, 3860, 3863, 3868, 3918, 4002,
        4155, 4189, 4222, 4223, 4249, 4250, 4342, 4420, 4551, 4555, 4556, 4712, 4730, 4739, 4788, 4840, 4880, 5000,
        5010, 5060, 5084, 5094, 5222, 5253, 5353, 5432, 5445, 5500, 5501, 5534, 5672, 5683, 5701, 5900, 5901, 5985,
        5997, 6068, 6084, 6121, 6160, 6346, 6379, 6417, 6653, 6667, 6668, 6881, 6882, 6883, 6884, 6885, 6886, 6887,
        6888, 6889, 7000, 7075, 7171, 7172, 7236, 7275, 7276, 7871, 7911, 8009, 8023, 8074, 8080, 8085, 8088, 8554,
        8567, 9009, 9092, 9300, 9418, 9956, 10288, 11211, 11371, 13400, 14001, 15740, 17500, 17755, 17756, 19006,
        19042, 19043, 19506, 19543, 21064, 22222, 24800, 29418, 34980, 44321, 44322, 44818, 48049, 48898, 57000,
    ]).union(6000...6063)
}
