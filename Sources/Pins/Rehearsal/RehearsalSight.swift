/// What an app was seen to make of one chain.
package enum RehearsalSight: Hashable, Sendable {
    /// It sent its request.
    case accepted
    case refused(Refusal)
    /// It offers nothing that a key of this kind can be used with.
    case unusable
    /// It came to different ends in several starts.
    case mixed
    /// Nothing was seen; why, where that is known.
    case nothing(String?)

    package struct Refusal: Hashable, Sendable {
        /// The registered name of its alert; nil: it went without a word.
        package var alert: String?
        /// The handshake had ended: the chain had passed what the TLS library itself checks.
        package var isAfterHandshake: Bool

        package init(alert: String? = nil, isAfterHandshake: Bool = false) {
            self.alert = alert
            self.isAfterHandshake = isAfterHandshake
        }
    }

    package var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
    package var wasRefused: Bool { refusal != nil }
}
