import Facts

/// What pins can be written as.
///
/// By `pinproof pins export --for FORMAT`, and for one host by `pinproof pins HOST --for FORMAT`.
package enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    case okHttp = "okhttp"
    case nsc
    /// Leaf and CA identities, each pin in the list that it is known to be for.
    case apple
    case appleLeaf = "apple-leaf"
    case appleCA = "apple-ca"
    case trustKit = "trustkit"
    case trustKitAndroid = "trustkit-android"
    case alamofire, cronet, curl, python, node, go, flutter
    case reactNative = "react-native"
    case hpkp, profile
    /// The neutral list, `pins.json`.
    case pins

    /// Those of a snippet for one host.
    package static let snippets: [ExportFormat] = [
        .okHttp, .nsc, .appleLeaf, .appleCA, .trustKit, .alamofire, .curl, .python, .node, .go, .flutter, .profile,
    ]

    /// By whose rules the result is read.
    var platform: PinFormat {
        switch self {
        case .okHttp: .okHttp
        case .nsc: .androidNSC
        case .apple, .appleLeaf, .appleCA: .appleATS
        case .trustKit, .trustKitAndroid: .trustKit
        case .alamofire: .alamofire
        case .cronet: .cronet
        case .curl: .curl
        case .flutter: .flutter
        case .reactNative: .reactNative
        case .hpkp: .hpkp
        case .python, .node, .go: .code
        case .profile: .profile
        case .pins: .neutral
        }
    }

    /// As messages call it.
    var name: String {
        switch self {
        case .okHttp: "OkHttp"
        case .nsc: "Android's network security config"
        case .apple, .appleLeaf, .appleCA: "NSPinnedDomains"
        case .trustKit, .trustKitAndroid: "TrustKit"
        case .alamofire: "Alamofire"
        case .cronet: "Cronet"
        case .curl: "curl"
        case .python, .node, .go: "this code"
        case .flutter: "http_certificate_pinning"
        case .reactNative: "react-native-ssl-public-key-pinning"
        case .hpkp: "a Public-Key-Pins header"
        case .profile: "a profile"
        case .pins: "pins.json"
        }
    }

    /// What it can compare.
    var kinds: Set<DeclaredPin.Kind> {
        switch self {
        case .flutter: [.certificateSHA256]
        case .python, .node, .go: [.spkiSHA256, .certificateSHA256]
        case .okHttp: [.spkiSHA256, .spkiSHA1]
        case .pins: Set(DeclaredPin.Kind.allCases)
        default: [.spkiSHA256]
        }
    }

    /// What it compares a pin with, where that is always the same.
    var part: DeclaredPin.Part? {
        switch self {
        // Node and Python tell the chain as it was sent, in which anybody can put a pinned issuer.
        case .curl, .python, .node, .flutter, .appleLeaf: .leaf
        case .appleCA: .ca
        case .apple, .pins: nil
        default: .any
        }
    }

    var takesExpiry: Bool { [.nsc, .trustKit, .trustKitAndroid, .cronet, .reactNative, .pins].contains(self) }
    var takesReportOnly: Bool { [.trustKit, .trustKitAndroid, .hpkp, .pins].contains(self) }

    /// An entry without pins takes a host out of a wider one's.
    var takesOpenEntries: Bool {
        [.nsc, .trustKit, .trustKitAndroid, .python, .node, .go, .profile, .pins].contains(self)
    }

    /// Fewer, and the app does not start (TrustKit), or the header is void (RFC 7469 §2.5).
    var fewestPins: Int { [.trustKit, .trustKitAndroid, .reactNative, .hpkp].contains(self) ? 2 : 1 }

    /// A second entry for a domain takes the place of the first, or is an error.
    var hasOneEntryPerDomain: Bool { ![.okHttp, .python, .node, .go, .profile, .pins].contains(self) }

    /// The nearest that it can say; nil where it cannot say anything of the kind.
    func reach(_ wanted: DeclaredHost.Reach) -> DeclaredHost.Reach? {
        let below = wanted.contains(.children) || wanted.contains(.descendants)
        switch self {
        case .python, .node, .go, .profile, .pins: return wanted
        case .okHttp: return wanted.contains(.descendants) ? [.itself, .descendants] : wanted
        case .apple, .appleLeaf, .appleCA: return below ? [.itself, .children] : .itself
        case .alamofire, .curl, .flutter: return wanted.contains(.itself) ? .itself : nil
        case .nsc, .trustKit, .trustKitAndroid, .cronet, .reactNative, .hpkp:
            return below ? [.itself, .descendants] : .itself
        }
    }

    /// Addresses are no names to Cronet, TrustKit and HPKP, and Go does not tell which one it has called.
    var takesAddresses: Bool { ![.cronet, .trustKit, .trustKitAndroid, .reactNative, .hpkp, .go].contains(self) }
}
