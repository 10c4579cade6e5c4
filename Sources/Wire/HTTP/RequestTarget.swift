import Facts

/// Whom a request line asks, read in passing.
///
/// A target in absolute form counts before the Host field (RFC 9112 §3.2.2).
enum RequestTarget: Hashable {
    /// A path, or `*`: the Host field says it.
    case origin
    /// A whole URL; nil where it names no host that can be read.
    case absolute(HostName?)
    /// A tunnel: whom it leads to is asked by what is inside, under a TLS of its own.
    case tunnel

    /// - Parameter line: without its line feed.
    init(in line: ArraySlice<UInt8>) {
        if line.starts(with: Array("CONNECT ".utf8)) {
            self = .tunnel
            return
        }
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        let mark = Array("://".utf8)
        // The mark may stand in a query as well: there a path begins the target.
        guard words.count > 1, words[1].first != UInt8(ascii: "/"),
            let scheme = words[1].firstIndex(of: UInt8(ascii: ":")), words[1][scheme...].starts(with: mark)
        else {
            self = .origin
            return
        }
        let ends = Array("/?#".utf8)
        let authority = words[1][(scheme + mark.count)...].prefix { !ends.contains($0) }
        let at = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? authority.startIndex
        self = .absolute(HostPort.endpoint(authority[at...], defaultPort: 443)?.host)
    }
}
