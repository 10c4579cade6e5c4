/// A format in which apps and tools declare pins; the raw value is its name in JSON.
package enum PinFormat: String, Hashable, Sendable, CaseIterable {
    case androidNSC = "android-nsc"
    case appleATS = "apple-ats"
    case trustKit = "trustkit"
    case okHttp = "okhttp"
    case alamofire
    case afNetworking = "afnetworking"
    case cronet
    case flutter
    case reactNative = "react-native"
    /// A table in code that looks names up in it itself, as `pins export` writes it for Python, Node.js and Go.
    case code
    case curl
    case hpkp
    /// The one list that every other format can be written from: `pins.json`.
    case neutral = "pins"
    /// A pinproof profile.
    case profile
    /// Source code without pins of a known kind, in which something else was found that a linter tells of.
    case source
    /// An app's manifest.
    case androidManifest = "android-manifest"
}
