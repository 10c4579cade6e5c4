/// What is known of one host: by the profile, and by what the app was seen to do.
package struct RehearsalEvidence: Hashable, Sendable {
    /// How it was seen that the app trusts the forging CA at this host.
    package enum Trust: Hashable, Sendable {
        /// It sent its request under that CA, for a pinned key that was lent.
        case lentKey
        /// The genuine key passed in a certificate of that CA, and an unknown one did not.
        case genuineKey
        /// It sent a request under that CA to this host, which it does not pin.
        case control(String)
        /// It got further than under a CA that nobody installed.
        case comparison
    }

    /// What it made of a chain that was presented as it will be.
    package struct Answer: Hashable, Sendable {
        package var keys: ChainKeys
        package var sight: RehearsalSight
        /// Nothing but a pin is in its way: its dates and name are right, and it ends in the genuine chain's anchor.
        package var isSound: Bool

        package init(_ keys: ChainKeys, _ sight: RehearsalSight, isSound: Bool) {
            self.keys = keys
            self.sight = sight
            self.isSound = isSound
        }
    }

    /// The chain as it was verified, up to its anchor; nil where it was not.
    package var genuine: ChainKeys?
    /// Untouched, the app and the host talked, before everything else and after it.
    package var worked: Bool
    /// Why not, where that is known.
    package var fault: String?
    /// The profile's, without their prefix.
    package var pins: Set<String>
    /// Keys of the only roots that the app trusts here, by the profile; empty: those of its platform.
    package var anchors: Set<String>
    /// Which certificates the pins are compared with, where somebody has said so.
    package var scope: PinScope?
    package var trust: Trust?
    /// Under the forging CA, with a key that no pin names.
    package var unknownKey: RehearsalSight
    /// The key that is pinned and not deployed, and what the app made of it under the forging CA.
    package var backup: (key: String, sight: RehearsalSight)? {
        get { backupKey.map { ($0, backupSight) } }
        set { (backupKey, backupSight) = (newValue?.key, newValue?.sight ?? .nothing(nil)) }
    }
    private var backupKey: String?
    private var backupSight = RehearsalSight.nothing(nil)
    /// Whether it takes the genuine leaf's key in another certificate, by what it complains of where that key's signature is wrong:
    /// told by stacks that look at pins while they verify the chain.
    package var genuineKey: RehearsalSight
    package var answers: [Answer]
    /// Whether it refuses certificates outside their dates; nil: not seen.
    package var checksDates: Bool?
    /// Its stack is one in which pins let CAs pass that were added on the device.
    package var mayExemptLocalAnchors: Bool
    /// Its stack is one whose own pins are of whole certificates.
    package var mayPinCertificates: Bool

    package init(
        genuine: ChainKeys? = nil, worked: Bool = true, fault: String? = nil, pins: Set<String> = [],
        anchors: Set<String> = [], scope: PinScope? = nil, trust: Trust? = nil,
        unknownKey: RehearsalSight = .nothing(nil), genuineKey: RehearsalSight = .nothing(nil), answers: [Answer] = [],
        checksDates: Bool? = nil,
        mayExemptLocalAnchors: Bool = false, mayPinCertificates: Bool = false
    ) {
        self.genuine = genuine
        self.worked = worked
        self.fault = fault
        self.pins = pins
        self.anchors = anchors
        self.scope = scope
        self.trust = trust
        self.unknownKey = unknownKey
        self.genuineKey = genuineKey
        self.answers = answers
        self.checksDates = checksDates
        self.mayExemptLocalAnchors = mayExemptLocalAnchors
        self.mayPinCertificates = mayPinCertificates
    }

    /// It was seen to refuse an unknown key for nothing but the key.
    var enforces: Bool { unknownKey.wasRefused && trust != nil }

    /// It was seen to take any certificate of a CA that it trusts.
    var isUnpinned: Bool { unknownKey == .accepted && !mayExemptLocalAnchors }
}
