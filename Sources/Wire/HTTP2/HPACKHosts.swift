/// Whom the header blocks of one HTTP/2 connection ask (RFC 7541).
///
/// Each block has to be read to its end, as it changes what the next one means. Of other fields nothing is kept but their
/// size.
struct HPACKHosts {
    /// A block that cannot be read, or asks for more than is kept.
    ///
    /// Nothing after it can be told either.
    struct Fault: Error {}

    /// Fields that say who is asked, and for what.
    private enum Field { case authority, host, method, `protocol`, other }

    private struct Entry {
        var field: Field
        var nameLength: Int
        /// Of other fields' values the length alone is kept.
        var value: [UInt8] = []
        var valueLength: Int

        /// RFC 7541 §4.1.
        var size: Int { nameLength + valueLength + 32 }
    }

    /// The newest last; those before `oldest` have gone.
    private var table: [Entry] = []
    private var oldest = 0
    private var size = 0
    private var limit = defaultLimit

    /// SETTINGS_HEADER_TABLE_SIZE, where no server says more.
    private static let defaultLimit = 4096
    /// Servers that allow more than 64 KiB are rare, and no client needs as much.
    private static let greatestLimit = 64 * 1024
    /// An entry takes 32 bytes at the least.
    private static let numberLimit = 1 << 24

    /// The request's host as it stands in the block: `:authority`, and `host` where that says something else, as some servers go
    /// by it (RFC 9113 §8.3.1 has them refuse such a request); none where it has neither, as trailers.
    mutating func read(_ block: ArraySlice<UInt8>) throws(Fault) -> [[UInt8]] {
        var rest = block
        var (authority, host): ([UInt8]?, [UInt8]?)
        var (isConnect, hasProtocol) = (false, false)
        while let first = rest.first {
            let entry: Entry
            if first & 0x80 != 0 {
                entry = try self.entry(at: Self.number(7, &rest))
            } else if first & 0xe0 == 0x20 {
                try resize(to: Self.number(5, &rest))
                continue
            } else {
                // Literal with incremental indexing, without, or never (§6.2).
                let isKept = first & 0x40 != 0
                entry = try literal(isKept ? 6 : 4, &rest)
                if isKept { insert(entry) }
            }
            switch entry.field {
            case .authority: authority = authority ?? entry.value
            case .host: host = host ?? entry.value
            case .method: isConnect = isConnect || entry.value == Self.connect
            case .protocol: hasProtocol = true
            case .other: continue
            }
        }
        // A tunnel: whom it leads to is asked by what is inside, under a TLS of its own (RFC 9113 §8.5). A WebSocket, say, asks
        // its authority itself (RFC 8441 §4).
        if isConnect, !hasProtocol { throw Fault() }
        guard let authority, let second = host else { return [authority ?? host].compactMap(\.self) }
        let isAnother = second != authority && HostPort.endpoint(second[...], defaultPort: 443) != nil
        return isAnother ? [authority, second] : [authority]
    }

    private func literal(_ bits: Int, _ rest: inout ArraySlice<UInt8>) throws(Fault) -> Entry {
        let index = try Self.number(bits, &rest)
        var entry: Entry
        if index == 0 {
            let name = try Self.string(&rest)
            let field: Field =
                name == Self.authorityName
                ? .authority
                : name == Self.hostName
                    ? .host
                    : name == Self.methodName ? .method : name == Self.protocolName ? .protocol : .other
            entry = Entry(field: field, nameLength: name.count, valueLength: 0)
        } else {
            entry = try self.entry(at: index)
        }
        let value = try Self.string(&rest)
        entry.value = entry.field == .other ? [] : value
        entry.valueLength = value.count
        return entry
    }

    private func entry(at index: Int) throws(Fault) -> Entry {
        guard index > 0 else { throw Fault() }
        if index <= Self.staticNameLengths.count {
            let field: Field =
                index == 1 ? .authority : index == 38 ? .host : [2, 3].contains(index) ? .method : .other
            // Values matter only in what is inserted, and that has one of its own.
            return Entry(field: field, nameLength: Self.staticNameLengths[index - 1], valueLength: 0)
        }
        let place = index - Self.staticNameLengths.count - 1
        guard place < table.count - oldest else { throw Fault() }
        return table[table.count - 1 - place]
    }

    private mutating func insert(_ entry: Entry) {
        evict(downTo: limit - entry.size)
        guard entry.size <= limit else { return }
        table.append(entry)
        size += entry.size
    }

    private mutating func resize(to new: Int) throws(Fault) {
        guard new <= Self.greatestLimit else { throw Fault() }
        limit = new
        evict(downTo: new)
    }

    private mutating func evict(downTo most: Int) {
        while size > most, oldest < table.count {
            size -= table[oldest].size
            oldest += 1
        }
        // As many as are left are moved for as many that have gone.
        guard oldest > 64, oldest > table.count / 2 else { return }
        table.removeFirst(oldest)
        oldest = 0
    }

    /// An integer in the low `bits` of the first byte and those after it (§5.1).
    private static func number(_ bits: Int, _ rest: inout ArraySlice<UInt8>) throws(Fault) -> Int {
        guard let first = rest.popFirst() else { throw Fault() }
        let most = 1 << bits - 1
        var value = Int(first) & most
        guard value == most else { return value }
        var shift = 0
        while let byte = rest.popFirst() {
            value += Int(byte & 0x7f) << shift
            shift += 7
            guard value < numberLimit, shift <= 28 else { throw Fault() }
            if byte & 0x80 == 0 { return value }
        }
        throw Fault()
    }

    private static func string(_ rest: inout ArraySlice<UInt8>) throws(Fault) -> [UInt8] {
        guard let first = rest.first else { throw Fault() }
        let length = try number(7, &rest)
        guard length <= rest.count else { throw Fault() }
        let text = rest.prefix(length)
        rest = rest.dropFirst(length)
        guard first & 0x80 != 0 else { return Array(text) }
        guard let decoded = HPACKHuffman.decoded(text) else { throw Fault() }
        return decoded
    }

    private static let authorityName = Array(":authority".utf8)
    private static let hostName = Array("host".utf8)
    private static let methodName = Array(":method".utf8)
    private static let protocolName = Array(":protocol".utf8)
    private static let connect = Array("CONNECT".utf8)

    /// Lengths of the names of the static table (RFC 7541, appendix A), from index 1 on.
    private static let staticNameLengths = [
        ":authority", ":method", ":method", ":path", ":path", ":scheme", ":scheme", ":status", ":status", ":status",
        ":status", ":status", ":status", ":status", "accept-charset", "accept-encoding", "accept-language",
        "accept-ranges", "accept", "access-control-allow-origin", "age", "allow", "authorization", "cache-control",
        "content-disposition", "content-encoding", "content-language", "content-length", "content-location",
        "content-range", "content-type", "cookie", "date", "etag", "expect", "expires", "from", "host", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "last-modified", "link", "location",
        "max-forwards", "proxy-authenticate", "proxy-authorization", "range", "referer", "refresh", "retry-after",
        "server", "set-cookie", "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via",
        "www-authenticate",
    ].map(\.utf8.count)
}
