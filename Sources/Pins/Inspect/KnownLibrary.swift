/// A library that makes or judges connections, and what it is known by.
struct KnownLibrary: Hashable, Sendable {
    var name: String
    /// Text in code: class descriptors, and what shrinkers leave alone.
    var code: [String] = []
    /// What the name of a file begins with.
    var files: [String] = []
    /// What a path within the app has in it.
    var folders: [String] = []
    /// Pins are handed to it as base64 alone, or with a prefix that the caller adds.
    var takesBarePins = false

    /// In the order of the alphabet.
    static let android = [
        KnownLibrary(name: "apache-httpclient", code: ["Lorg/apache/http/impl/client/", "Lorg/apache/hc/client5/"]),
        KnownLibrary(name: "approov", code: ["Lio/approov/"], takesBarePins: true),
        KnownLibrary(name: "capacitor", code: ["Lcom/getcapacitor/"]),
        KnownLibrary(name: "certificatetransparency", code: ["Lcom/appmattus/certificatetransparency/"]),
        KnownLibrary(name: "conscrypt", code: ["Lorg/conscrypt/"], files: ["libconscrypt"]),
        KnownLibrary(name: "cordova", code: ["Lorg/apache/cordova/"], folders: ["assets/www/cordova.js"]),
        KnownLibrary(name: "cronet", code: ["Lorg/chromium/net/CronetEngine"], files: ["libcronet"]),
        KnownLibrary(name: "curl", files: ["libcurl"]),
        KnownLibrary(name: "dotnet", files: ["libmonodroid", "libmonosgen", "libcoreclr"]),
        KnownLibrary(name: "flutter", code: ["Lio/flutter/"], files: ["libflutter.so"], folders: ["flutter_assets/"]),
        KnownLibrary(name: "grpc", code: ["Lio/grpc/"], files: ["libgrpc"]),
        KnownLibrary(name: "hermes", files: ["libhermes"]),
        KnownLibrary(name: "http_certificate_pinning", code: ["Ldiefferson/http_certificate_pinning/"]),
        KnownLibrary(name: "ktor", code: ["Lio/ktor/client/"]),
        KnownLibrary(name: "netty", code: ["Lio/netty/"]),
        KnownLibrary(name: "okhttp2", code: ["Lcom/squareup/okhttp/"]),
        KnownLibrary(
            name: "okhttp", code: ["Lokhttp3/", "okhttp/3.", "okhttp/4.", "okhttp/5."],
            folders: ["okhttp3/internal/publicsuffix/"]),
        KnownLibrary(name: "openssl", files: ["libssl", "libcrypto"]),
        KnownLibrary(
            name: "react-native", code: ["Lcom/facebook/react/"], files: ["libreactnative", "index.android.bundle"]),
        KnownLibrary(name: "react-native-ssl-pinning", code: ["Lcom/toyberman/"], takesBarePins: true),
        KnownLibrary(name: "retrofit", code: ["Lretrofit2/"]),
        KnownLibrary(name: "trustkit", code: ["Lcom/datatheorem/android/trustkit/"], takesBarePins: true),
        KnownLibrary(name: "unity", files: ["libunity.so"]),
        KnownLibrary(name: "volley", code: ["Lcom/android/volley/"]),
    ]
}
