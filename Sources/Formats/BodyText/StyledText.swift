import Facts

/// Text for a terminal as it grows: bounded, escaped, and in colour where that is wanted.
struct StyledText {
    enum Style: String {
        case plain = ""
        case name = "34"
        case string = "32"
        case number = "36"
        case word = "35"
        case faint = "2"
    }

    private(set) var text = ""
    private(set) var count = 0
    private let isColored: Bool
    private let limit: Int
    /// What protobuf messages are shown by.
    let protobuf: ProtobufView?

    init(isColored: Bool, limit: Int, protobuf: ProtobufView? = nil) {
        self.isColored = isColored
        self.limit = limit
        self.protobuf = protobuf
    }

    /// Nothing more is taken.
    var isFull: Bool { count >= limit }

    /// Of a peer: on its line, with everything escaped that a terminal would act on.
    mutating func add(_ peers: String, _ style: Style = .plain) {
        guard !isFull else { return }
        var peers = peers
        if peers.utf8.count > limit - count {
            peers = String(decoding: Array(peers.utf8.prefix(limit - count)), as: UTF8.self)
        }
        let safe = Printable.escaped(peers)
        count += safe.utf8.count
        text += isColored && style != .plain && !safe.isEmpty ? "\u{1b}[\(style.rawValue)m\(safe)\u{1b}[0m" : safe
    }

    mutating func add(_ peers: some Sequence<UInt8>, _ style: Style = .plain) {
        add(String(decoding: Array(peers), as: UTF8.self), style)
    }

    mutating func line(indent: Int = 0) {
        guard !isFull else { return }
        // Deeper levels stay at this one: a peer could fill the screen with blanks.
        let blanks = 2 * min(indent, 64)
        text += "\n" + String(repeating: " ", count: blanks)
        count += 1 + blanks
    }
}
