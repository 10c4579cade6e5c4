/// Libraries that have a part in pinning, as an app for iOS shows them.
///
/// By their frameworks, and by what they leave in a binary.
enum IPALibraries {
    private struct Library {
        var name: String
        /// Of its framework, in lower case.
        var frameworks: [String]
        /// Names of classes and the like, which stay in a binary that is linked statically.
        var marks: [String]
    }

    private static let all = [
        Library(name: "afnetworking", frameworks: ["afnetworking"], marks: ["AFSecurityPolicy"]),
        Library(
            name: "alamofire", frameworks: ["alamofire"], marks: ["ServerTrustManager", "PublicKeysTrustEvaluator"]),
        Library(
            name: "boringssl", frameworks: ["boringssl", "openssl_grpc", "boringssl-grpc"],
            marks: ["third_party/boringssl"]),
        Library(name: "capacitor", frameworks: ["capacitor"], marks: ["CAPBridgeViewController"]),
        Library(name: "cordova", frameworks: ["cordova"], marks: ["CDVViewController"]),
        Library(
            name: "cronet", frameworks: ["cronet"], marks: ["org.chromium.CronetURLProtocol", "CRNHTTPProtocolHandler"]),
        Library(name: "curl", frameworks: ["curl", "libcurl"], marks: ["CURLOPT_PINNEDPUBLICKEY", "libcurl/"]),
        Library(name: "flutter", frameworks: ["flutter"], marks: ["FlutterViewController"]),
        Library(name: "kotlin-multiplatform", frameworks: [], marks: ["kfun:kotlin", "KotlinBase"]),
        Library(name: "ktor", frameworks: [], marks: ["io.ktor.client"]),
        Library(name: "okhttp", frameworks: ["okhttp"], marks: ["okhttp3"]),
        Library(name: "openssl", frameworks: ["openssl"], marks: ["OpenSSL 1.", "OpenSSL 3."]),
        Library(
            name: "react-native", frameworks: ["react", "hermes", "react_core"], marks: ["RCTBridge", "RCTRootView"]),
        Library(name: "trustkit", frameworks: ["trustkit"], marks: ["TSKPinningValidator", "TSKPublicKeyHashes"]),
        Library(name: "unity", frameworks: ["unityframework"], marks: ["UnityFramework"]),
        Library(name: "xamarin", frameworks: ["xamarin"], marks: ["xamarin_main"]),
    ]

    /// For the search of binaries.
    static let known = all.map { library in
        KnownLibrary(name: library.name, code: library.marks, takesBarePins: library.name == "trustkit")
    }

    /// - Parameter names: of frameworks, or of what a binary loads: `@rpath/TrustKit.framework/TrustKit`.
    static func named(by names: [String]) -> Set<String> {
        let files = Set(names.map { ($0.split(separator: "/").last.map(String.init) ?? $0).lowercased() })
        return Set(all.filter { $0.frameworks.contains { files.contains($0) } }.map(\.name))
    }
}
