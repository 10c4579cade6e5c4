/// Removes a content coding within what work is left (`DecodingBudget`).
final class MeteredDecoder: ContentDecoder {
    private let decoder: any ContentDecoder
    private let budget: DecodingBudget
    private var (came, went, spent) = (0, 0, 0)
    /// There is no work left, and nothing more is decoded.
    private var isOut = false

    /// Of Brotli's largest window (RFC 7932 §9.1), which it fills before it hands out the first byte: what is cut has cost that.
    private static let window = 16 * 1024 * 1024

    init(_ decoder: any ContentDecoder, _ budget: DecodingBudget) {
        self.decoder = decoder
        self.budget = budget
    }

    var isCut: Bool { isOut || decoder.isCut }
    var isWhole: Bool { decoder.isWhole }
    var held: Int { decoder.held }

    func decode(_ bytes: ArraySlice<UInt8>, most: Int) throws(DecodingFault) -> [UInt8] {
        came += bytes.count
        guard !isOut, bytes.isEmpty || budget.unearned > -DecodingBudget.most else {
            isOut = true
            return []
        }
        let earned = came.multipliedReportingOverflow(by: DecodingBudget.growth)
        let room = budget.unearned > 0 || earned.overflow ? .max : earned.partialValue
        let wasCut = decoder.isCut
        let content = try decoder.decode(bytes, most: min(most, room))
        went += content.count
        if decoder.isCut, !wasCut { budget.spend(Self.window) }
        let more = earned.overflow ? 0 : went - earned.partialValue - spent
        if more > 0 {
            spent += more
            budget.spend(more)
        }
        return content
    }
}

/// The same for a WebSocket's messages.
final class MeteredInflater: MessageInflater {
    private let inflater: any MessageInflater
    private let budget: DecodingBudget

    init(_ inflater: any MessageInflater, _ budget: DecodingBudget) {
        self.inflater = inflater
        self.budget = budget
    }

    func inflate(_ data: [UInt8], limit: Int) -> (data: [UInt8], isCut: Bool)? {
        // Later messages may refer back to this one: none is passed over, and those after it be read.
        guard budget.unearned > -DecodingBudget.most else { return nil }
        guard let message = inflater.inflate(data, limit: limit) else { return nil }
        let more = message.data.count + inflater.dropped - data.count * DecodingBudget.growth
        if more > 0 { budget.spend(more) }
        return message
    }
}
