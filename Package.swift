// swift-tools-version: 6.2
import PackageDescription

// Every target of ours: Swift 6 language mode, strict memory safety, and no warning survives.
let ours: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: ours + more)
}

// The judge is optimised in debug builds too: tests judge many thousand made-up runs, which takes minutes otherwise.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: ours)
}

// Files and processes without pointers; swift-subprocess brings it anyway. Apple's systems have their own.
let system = Target.Dependency.product(
    name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux]))

// RE2's file names a flag that SwiftPM does not let pass and warns of in every build. Only Homebrew needs what else it says.
#if os(macOS)
    let codecs = "libnghttp2 libbrotlidec libzstd re2"
#else
    let codecs = "libnghttp2 libbrotlidec libzstd"
#endif

// Built by Tests/Fuzz/run alone: libFuzzer brings its main function.
let fuzzer: [Target] =
    Context.environment["PINPROOF_FUZZER"] == nil
    ? []
    : [
        .executableTarget(
            name: "Fuzz", dependencies: ["FuzzSubjects"], path: "Tests/Fuzz/Runner",
            swiftSettings: ours + [.unsafeFlags(["-parse-as-library"])])
    ]

let package = Package(
    name: "pinproof",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "pinproof", targets: ["pinproof"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        // fences: C libraries; only Loop, TLS and Coding may import them
        .systemLibrary(
            name: "CEvent", pkgConfig: "libevent_core libevent_extra",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CShim", dependencies: ["COpenSSL"]),
        .target(name: "CLoop", dependencies: ["CEvent"]),
        // The page's files and the packages' versions, which become part of the program; Loop hands them out.
        .target(name: "CFiles"),
        // zlib and iconv have no pkg-config file on macOS, and need none anywhere.
        .systemLibrary(
            name: "CCodecs", pkgConfig: codecs,
            providers: [
                .apt(["libnghttp2-dev", "zlib1g-dev", "libbrotli-dev", "libzstd-dev", "libre2-dev"]),
                .brew(["libnghttp2", "brotli", "zstd", "re2"]),
            ]),
        .target(
            name: "CCoding", dependencies: ["CCodecs"],
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),

        // ground and pure
        library("Facts", [], optimised),
        library("Wire", ["Facts"]),
        library("Flows", ["Wire", "Facts"]),
        library("Filters", ["Flows", "Facts"]),
        library("Formats", ["Flows", "Facts"]),
        library("Policy", ["Facts"], optimised),
        library("Verdict", ["Policy", "Facts"], optimised),
        library("Pins", ["Facts"]),
        library("Report", ["Verdict", "Policy", "Pins", "Facts"]),

        // fences
        library("Loop", ["Facts", "CEvent", "CLoop", "CFiles", system]),
        library("TLS", ["Policy", "Facts", "COpenSSL", "CShim"]),
        library("Coding", ["Flows", "Facts", "CCodecs", "CCoding"]),

        // what crosses the network
        library("Proxy", ["Loop", "TLS", "Wire", "Policy", "Facts"]),
        library("Capture", ["Loop", "TLS", "Wire", "Policy", "Facts"]),
        library("Embedded", ["Loop", "TLS", "Wire", "Policy", "Facts"]),

        // a person, and files
        library("Console", ["Loop", "Facts", system]),
        library("Profiles", ["Loop", "Policy", "Facts", .product(name: "Yams", package: "Yams")]),
        library("Evidence", ["Loop", "TLS", "Verdict", "Facts", system]),
        library("Store", ["Filters", "Flows", "Loop", "Facts", .product(name: "GRDB", package: "GRDB.swift")]),
        library("Authority", ["Loop", "TLS", "Policy", "Facts"]),

        // control
        library(
            "Gate",
            [
                "Console", "Profiles", "Evidence", "Authority", "Embedded", "Proxy", "Capture", "Loop", "TLS", "Report",
                "Verdict", "Pins", "Coding", "Formats", "Flows", "Policy", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"), system,
            ]),
        library(
            "Inspector",
            [
                "Console", "Profiles", "Evidence", "Store", "Authority", "Proxy", "Loop", "TLS", "Coding", "Filters",
                "Formats", "Flows", "Policy", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"), system,
            ]),

        library(
            "PinTools",
            ["Console", "Profiles", "Authority", "Proxy", "Loop", "TLS", "Coding", "Pins", "Policy", "Facts", system]),

        // page and API
        .target(
            name: "Web",
            dependencies: [
                "Inspector", "Console", "Evidence", "Authority", "Verdict", "Store", "Proxy", "Loop", "TLS", "Filters",
                "Formats", "Flows", "Wire", "Facts",
                .product(name: "FlyingFox", package: "FlyingFox"), .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            exclude: ["Page"], swiftSettings: ours),

        // wiring
        .executableTarget(
            name: "pinproof",
            dependencies: [
                "Gate", "Inspector", "PinTools", "Web", "Console", "Profiles", "Evidence", "Authority", "Embedded",
                "Proxy",
                "Capture", "Loop", "TLS", "Report", "Verdict", "Pins", "Policy", "Filters", "Wire", "Facts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .target(name: "CNoCurl", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: ours),

        // In place of libcurl, which nothing calls.
        .target(name: "CNoCurl"),

        // `make bench`; no part of the product
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Store", "Filters", "Coding", "Flows", "Evidence", "Verdict", "Loop", "TLS", "Policy", "Facts", "Wire",
            ], swiftSettings: ours),

        .target(
            name: "Support",
            dependencies: [
                "Console", "Evidence", "Loop", "TLS", "Policy", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"), system,
            ],
            path: "Tests/Support", swiftSettings: ours),
        // TLS peers of the proxy. A test target, so that it may look into TLS; the one fence around C among the tests.
        .testTarget(
            name: "TLSSupport", dependencies: ["Support", "TLS", "Facts", "COpenSSL", "CShim"],
            path: "Tests/TLSSupport", swiftSettings: ours),
        .target(
            name: "FuzzSubjects",
            dependencies: [
                "Profiles", "TLS", "Coding", "Pins", "Formats", "Filters", "Flows", "Wire", "Policy", "Facts",
            ],
            path: "Tests/FuzzSubjects", swiftSettings: ours),
        tests("Fuzz", ["FuzzSubjects"]),
        tests("Flows", ["Flows", "Wire", "Facts", "Support"]),
        tests("Filters", ["Filters", "Flows", "Facts"]),
        tests("Formats", ["Formats", "Flows", "Facts"]),
        tests("Facts", ["Facts"]),
        tests("Wire", ["Support", "Wire", "Facts"]),
        tests("Policy", ["Policy", "Facts"]),
        tests("Verdict", ["Support", "Report", "Verdict", "Policy", "Facts"]),
        tests("Report", ["Report", "Verdict", "Policy", "Pins", "Facts"]),
        tests("Pins", ["Pins", "Facts"]),
        tests(
            "PinTools", ["Support", "TLSSupport", "PinTools", "Pins", "Authority", "Loop", "TLS", "Policy", "Facts"]),
        tests("Profiles", ["Support", "Profiles", "Loop", "Policy", "Facts"]),
        tests("Loop", ["Loop", "Facts"]),
        tests("Coding", ["Coding", "Flows", "Facts"]),
        tests("TLS", ["Support", "TLSSupport", "TLS", "Policy", "Facts"]),
        tests(
            "Proxy",
            [
                "Support", "TLSSupport", "Proxy", "Authority", "Embedded", "Loop", "TLS", "Wire", "Policy", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        tests("Capture", ["Support", "Capture", "Loop", "TLS", "Wire", "Policy", "Facts"]),
        tests("Console", ["Support", "Console", "Loop", "Facts"]),
        tests("Evidence", ["Support", "Evidence", "Loop", "TLS", "Verdict", "Policy", "Facts", system]),
        tests(
            "Store",
            ["Support", "Store", "Filters", "Flows", "Loop", "Facts", .product(name: "GRDB", package: "GRDB.swift")]),
        tests("Authority", ["Support", "TLSSupport", "Authority", "Loop", "TLS", "Policy", "Facts"]),
        tests(
            "Inspector",
            ["Support", "Inspector", "Console", "Authority", "Proxy", "Store", "Flows", "Policy", "Loop", "Facts"]),
        tests(
            "Web",
            [
                "Support", "Web", "Inspector", "Evidence", "Authority", "Store", "Proxy", "Filters", "Flows", "Loop",
                "Wire",
                "Facts",
            ]),
        tests(
            "Gate",
            [
                "Support", "pinproof", "Gate", "Inspector", "Console", "Profiles", "Evidence", "Authority", "Capture",
                "Embedded",
                "Proxy", "Web", "Loop", "TLS", "Report", "Verdict", "Pins", "Policy", "Facts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        tests("EndToEnd", ["Support", "Facts", "Report", .product(name: "Subprocess", package: "swift-subprocess")]),
    ] + fuzzer,
    // RE2's headers ask for it where they stand on Abseil.
    cxxLanguageStandard: .cxx17
)
