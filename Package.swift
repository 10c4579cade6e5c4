// swift-tools-version: 6.2
import PackageDescription

// Every target of ours: Swift 6 language mode, strict memory safety, and no warning survives.
let ours: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: ours)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: ours)
}

// Until each is a target of its own: what of Sources/Authority is compiled into TLS, and what into Gate.
let caFiles = [
    "AuthorityCheck", "CAError", "CAExport", "CAStore", "CertificateFiles", "File", "Folder", "LentMaterials",
]
let runCAFiles = ["CAExportFormat", "CASession", "ForgingCA", "ForgingCA+Attacks"]

let package = Package(
    name: "pinproof",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "pinproof", targets: ["pinproof"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.5.0"),
    ],
    targets: [
        // fences: C libraries; only Loop and TLS may import them
        .systemLibrary(
            name: "CEvent", pkgConfig: "libevent_core libevent_extra",
            providers: [.apt(["libevent-dev"]), .brew(["libevent"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .target(name: "CShim", dependencies: ["COpenSSL"]),

        // ground and pure
        library("Facts"),
        library("Wire", ["Facts"]),
        library("Policy", ["Facts"]),
        library("Verdict", ["Policy", "Facts"]),
        library("Report", ["Verdict", "Policy", "Facts"]),

        // fences
        library("Loop", ["Facts", "CEvent"]),
        .target(
            name: "TLS", dependencies: ["Policy", "Facts", "COpenSSL", "CShim"], path: "Sources",
            sources: ["TLS"] + caFiles.map { "Authority/\($0).swift" }, swiftSettings: ours),

        // files and effects
        library("Profiles", ["Policy", "Facts", .product(name: "Yams", package: "Yams")]),
        library("Proxy", ["Loop", "TLS", "Wire", "Policy", "Facts"]),

        // control
        library("Embedded", ["Loop", "TLS", "Wire", "Policy", "Facts"]),
        .target(
            name: "Gate",
            dependencies: [
                "Embedded", "Proxy", "Loop", "TLS", "Verdict", "Report", "Profiles", "Policy", "Wire", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"),
                // File descriptors without pointers; swift-subprocess brings it anyway. Apple's systems have their own.
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ],
            path: "Sources",
            sources: ["Gate", "Inspector", "Console", "Evidence", "Capture"]
                + runCAFiles.map { "Authority/\($0).swift" },
            swiftSettings: ours),

        // wiring
        .executableTarget(
            name: "pinproof",
            dependencies: [
                "Gate", "Embedded", "Proxy", "Loop", "TLS", "Verdict", "Report", "Profiles", "Policy", "Wire", "Facts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: ours),

        .target(
            name: "Support",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux])),
            ],
            path: "Tests/Support", swiftSettings: ours),
        tests("Facts", ["Facts"]),
        tests("Wire", ["Support", "Wire", "Facts"]),
        tests("Policy", ["Policy", "Facts"]),
        tests("Verdict", ["Support", "Verdict", "Policy", "Facts"]),
        tests("Report", ["Report", "Verdict", "Policy", "Facts"]),
        tests("Profiles", ["Support", "Profiles", "Policy", "Facts"]),
        tests("Loop", ["Loop", "Facts"]),
        .testTarget(
            name: "TLSTests", dependencies: ["Support", "TLS", "Policy", "Facts"], path: "Tests",
            sources: ["TLSTests"] + ["CAExport", "CAStore", "LentMaterials"].map { "AuthorityTests/\($0)Tests.swift" },
            swiftSettings: ours),
        tests(
            "Proxy",
            [
                "Support", "Proxy", "Embedded", "Loop", "TLS", "Wire", "Policy", "Facts",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ]),
        .testTarget(
            name: "GateTests",
            dependencies: [
                "pinproof", "Gate", "Embedded", "Proxy", "Loop", "Verdict", "Report", "Profiles", "Policy", "Wire",
                "Facts",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests",
            sources: [
                "GateTests", "InspectorTests", "ConsoleTests", "EvidenceTests", "CaptureTests",
                "AuthorityTests/ForgingCATests.swift",
            ],
            swiftSettings: ours),
        tests("EndToEnd", ["Support", "Facts", "Report", .product(name: "Subprocess", package: "swift-subprocess")]),
    ]
)
