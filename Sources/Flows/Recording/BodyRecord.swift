import Facts

/// One body while it comes: counted, hashed, decoded to be measured, and kept up to a limit.
struct BodyRecord {
    private(set) var body: FlowBody
    private let limit: Int
    /// Made when the first byte comes.
    private var digest: (any BodyDigest)?
    private let makeDigest: () -> (any BodyDigest)?
    private var decoder: (any ContentDecoder)?
    /// What the decoder holds; nil without one.
    private let share: DecodingBudget.Share?
    private var decoded = 0
    private var isUndecodable = false
    /// Where it ends is not known; what was read before that was known is counted and kept.
    private(set) var isLost = false
    /// Kept, and not handed out yet.
    private var pending: [UInt8] = []
    /// What is kept and not handed out is what the digest knows, and not copied.
    private var isShared = true

    /// Decoded, from its beginning, as far as somebody wants to look into it.
    private(set) var beginning: [UInt8] = []
    private let beginningLimit: Int

    /// Of what a coding may make of a body when it is measured: an hour of video, or a bomb.
    static let decodedLimit = 1024 * 1024 * 1024
    /// Of that, what a few bytes may make, in one piece and on the thread that records everything; and what each byte more may
    /// make: texts shrink to a tenth, and hardly any to a hundredth.
    static let unearned = 16 * 1024 * 1024
    static let growth = DecodingBudget.growth

    /// Of what a body's head announces: made room for at once, rather than bit by bit.
    private static let reserved = 128 * 1024
    /// `Content-Length`.
    let announced: Int?

    /// - Parameters:
    ///   - limit: bytes that are kept.
    ///   - beginning: decoded bytes that are kept to be looked into.
    init(fields: [HeaderField], limit: Int, tools: DecodingTools, beginning: Int = 0) {
        beginningLimit = beginning
        let codings = fields.contentCodings
        body = FlowBody(
            encoding: codings.isEmpty ? nil : codings.joined(separator: ", "), type: Self.mediaType(of: fields))
        self.limit = limit
        announced = fields.first(of: "content-length").flatMap { Int($0) }
        makeDigest = tools.digest
        decoder = codings.isEmpty ? nil : tools.content(codings.joined(separator: ", "), Self.decodedLimit)
        share = decoder == nil ? nil : DecodingBudget.Share(of: tools.budget)
    }

    /// The media type without its parameters, in lower case.
    static func mediaType(of fields: [HeaderField]) -> String? {
        guard let value = fields.last(where: { $0.isNamed("content-type") })?.value else { return nil }
        let type = MediaType.essence(value)
        return type.isEmpty ? nil : type
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        body.size += bytes.count
        if digest == nil { digest = makeDigest() }
        let known = isShared ? digest?.known : nil
        digest?.add(bytes)
        let kept = bytes.prefix(max(0, limit - body.kept))
        body.kept += kept.count
        keep(kept, after: known)
        guard body.shed == 0 else { return }
        guard body.encoding != nil else { return begin(bytes) }
        guard let decoder, !isUndecodable else { return }
        do throws(DecodingFault) {
            let more = try decoder.decode(bytes, most: Self.unearned + Self.growth * body.size)
            decoded += more.count
            begin(more[...])
            if decoder.isCut || share?.hold(decoder.held) == false { giveUp() }
        } catch {
            giveUp()
        }
    }

    /// Its decoded size is then not known.
    private mutating func giveUp() {
        isUndecodable = true
        decoder = nil
        _ = share?.hold(0)
    }

    /// - Parameter known: what was shared before these came.
    private mutating func keep(_ bytes: ArraySlice<UInt8>, after known: ArraySlice<UInt8>?) {
        if isShared, digest?.known?.count == body.kept { return }
        isShared = false
        if pending.isEmpty { pending.reserveCapacity(max(bytes.count, min(announced ?? 0, Self.reserved))) }
        if let known { pending += known }
        pending += bytes
    }

    private mutating func begin(_ bytes: ArraySlice<UInt8>) {
        if beginning.count < beginningLimit { beginning += bytes.prefix(beginningLimit - beginning.count) }
    }

    mutating func shed(_ count: Int) {
        body.size += count
        body.shed += count
    }

    /// The rest cannot be told from what follows it.
    mutating func lose() { isLost = true }

    /// All of it has come, or all that could be read.
    ///
    /// - Parameter isHashed: also if it is empty.
    mutating func end(isHashed: Bool = true) {
        guard !isLost else { return }
        if digest == nil, isHashed { digest = makeDigest() }
        if body.shed == 0 { body.sha256 = digest?.finish() }
        if body.encoding == nil {
            body.decodedSize = body.size
        } else if let decoder, !isUndecodable, (try? decoder.decode([])) != nil, !decoder.isCut, decoder.isWhole,
            body.shed == 0
        {
            body.decodedSize = decoded
        }
    }

    /// What is to be kept and has come since this was called last.
    mutating func take() -> [UInt8] {
        if isShared, let known = digest?.known, !known.isEmpty {
            isShared = false
            // All of an array is the array itself.
            return Array(known)
        }
        defer { pending = [] }
        return pending
    }
}
