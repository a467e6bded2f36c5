// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "helium",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "HeliumKit", targets: ["HeliumKit"]),
        .library(name: "HeliumCore", targets: ["HeliumCore"]),
        .library(name: "HeliumCrypto", targets: ["HeliumCrypto"]),
        .library(name: "HeliumCurl", targets: ["HeliumCurl"]),
        .library(name: "HeliumJSON", targets: ["HeliumJSON"]),
        .library(name: "HeliumLifecycle", targets: ["HeliumLifecycle"]),
        .library(name: "HeliumServer", targets: ["HeliumServer"]),
        .library(name: "HeliumTesting", targets: ["HeliumTesting"]),
        .library(name: "HeliumServerTesting", targets: ["HeliumServerTesting"]),
        .library(name: "HeliumWebSocket", targets: ["HeliumWebSocket"]),
        .library(name: "Cosm", targets: ["Cosm"]),
        .library(name: "AppNet", targets: ["AppNet"]),
        .executable(name: "helium", targets: ["HeliumCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // C shims: each is imported by exactly one Swift target.
        .target(name: "CLibcurl", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),

        // The client, bottom up.
        .target(name: "HeliumConcurrency"),
        .target(name: "HeliumJSON"),
        .target(
            name: "HeliumCore",
            dependencies: [
                "HeliumConcurrency", "HeliumJSON", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .target(name: "HeliumCrypto", dependencies: ["COpenSSL"]),
        .target(
            name: "HeliumCurl",
            dependencies: ["HeliumCore", "CLibcurl", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .target(
            name: "HeliumKit",
            dependencies: [
                "HeliumCore", "HeliumCurl", "HeliumCrypto", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // WebSockets, on SwiftNIO: whoever uses only HeliumKit builds none of it. Client and server share the framing.
        .target(name: "HeliumWebSocketFraming", dependencies: [.product(name: "NIOCore", package: "swift-nio")]),
        .target(
            name: "HeliumWebSocket",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumWebSocketFraming",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        ),

        // The systems, each on HeliumKit and none on another.
        .target(
            name: "Cosm",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .target(
            name: "AppNet",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // The client as a service of a service group: a product of its own, so that only those who want it build it.
        .target(
            name: "HeliumLifecycle",
            dependencies: [
                "HeliumKit", .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),

        // Testing kits and the embedded server.
        .target(
            name: "HeliumTesting",
            dependencies: ["HeliumCore", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        .target(
            name: "HeliumServer",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumCurl", "HeliumJSON",
                "HeliumWebSocketFraming", "CZlib",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "HeliumServerTesting",
            dependencies: ["HeliumServer", .product(name: "Logging", package: "swift-log")]
        ),

        // The command-line tool.
        .executableTarget(
            name: "HeliumCLI",
            dependencies: [
                "AppNet", "Cosm", "HeliumConcurrency", "HeliumKit", "HeliumCrypto", "HeliumServer", "HeliumWebSocket",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // What the tests of several targets share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),

        // A server of raw bytes, for the tests of sockets.
        .target(
            name: "WireSupport",
            dependencies: [
                "HeliumConcurrency",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/WireSupport"
        ),

        // What is fuzzed, a function each: for the tests and for `make fuzz`.
        .target(
            name: "FuzzSupport",
            dependencies: [
                "TestSupport",
                "AppNet", "Cosm", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FuzzSupport"
        ),
        .testTarget(
            name: "HeliumCoreTests",
            dependencies: [
                "TestSupport",
                "FuzzSupport", "HeliumCore", "HeliumTesting", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(name: "HeliumCryptoTests", dependencies: ["HeliumCrypto"]),
        .testTarget(name: "HeliumJSONTests", dependencies: ["TestSupport", "HeliumJSON"]),
        .testTarget(
            name: "HeliumCurlTests",
            dependencies: [
                "TestSupport",
                "HeliumCurl", "HeliumCore", "HeliumTesting", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "HeliumTestingTests",
            dependencies: [
                "TestSupport",
                "FuzzSupport",
                "HeliumTesting", "HeliumCurl", "HeliumKit", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "HeliumKitTests",
            dependencies: [
                "TestSupport",
                "HeliumKit", "HeliumTesting", "HeliumCrypto", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "HeliumServerTests",
            dependencies: [
                "TestSupport",
                "HeliumJSON", "HeliumServer", "HeliumServerTesting", "HeliumTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport",
                "AppNet", "Cosm", "HeliumKit", "HeliumLifecycle", "HeliumServer", "HeliumServerTesting",
                "HeliumTesting",
                "HeliumWebSocket",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HeliumWebSocketTests",
            dependencies: [
                "TestSupport", "WireSupport",
                "HeliumConcurrency", "HeliumCore", "HeliumServer", "HeliumServerTesting", "HeliumTesting",
                "HeliumJSON", "HeliumWebSocket", "HeliumWebSocketFraming",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "CosmTests",
            dependencies: [
                "TestSupport", "WireSupport",
                "Cosm", "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumServer",
                "HeliumServerTesting", "HeliumTesting", "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "AppNetTests",
            dependencies: [
                "TestSupport", "WireSupport",
                "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumServer",
                "HeliumServerTesting", "HeliumTesting", "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "HeliumLifecycleTests",
            dependencies: [
                "HeliumLifecycle", "HeliumKit", "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HeliumCLITests",
            dependencies: [
                "TestSupport", "WireSupport", "Cosm", "HeliumCLI", "HeliumCrypto", "HeliumKit", "HeliumServerTesting",
                "HeliumTesting", .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),

        // What `make fuzz`, `make soak` and `make interop` run; no products.
        .executableTarget(name: "FuzzRunner", dependencies: ["FuzzSupport"], path: "Tests/Fuzz"),
        // The cost target: a test runs it too.
        .target(name: "CCostProbe", path: "Tests/CostProbe"),
        .executableTarget(
            name: "CostRunner",
            dependencies: ["CCostProbe", "FuzzSupport", "HeliumServer"],
            path: "Tests/Cost"
        ),
        .testTarget(name: "CostRunnerTests", dependencies: ["CostRunner", "FuzzSupport"]),
        .executableTarget(
            name: "SoakRunner",
            dependencies: [
                "TestSupport",
                "AppNet", "Cosm", "HeliumKit", "HeliumServer", "HeliumServerTesting", "HeliumTesting",
                "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Soak"
        ),
        .executableTarget(
            name: "InteropRunner",
            dependencies: ["HeliumKit", .product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Tests/Interop",
            // Python: see Scripts/interop.sh.
            exclude: ["adnpy"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where ![.system, .binary, .plugin].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
