// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers are dependencies of the measurements and of nothing else.
// One executable per client: CPU time and memory are then its own.
let package = Package(
    name: "helium-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "helium", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(name: "BenchmarkHarness"),
        .target(name: "PeerFailure"),
        .target(name: "PeerRun", dependencies: ["PeerFailure"]),
        .executableTarget(
            name: "RawCurl",
            dependencies: ["PeerFailure", "PeerRun"],
            linkerSettings: [.linkedLibrary("curl")]
        ),
        // libcurl connects; OpenSSL for the choice of the protocol.
        .executableTarget(
            name: "RawEngine",
            dependencies: ["PeerFailure", "PeerRun"],
            linkerSettings: [
                .linkedLibrary("curl", .when(platforms: [.linux])),
                .linkedLibrary("nghttp2", .when(platforms: [.linux])),
                .linkedLibrary("ssl", .when(platforms: [.linux])),
                .linkedLibrary("crypto", .when(platforms: [.linux])),
            ]
        ),
        .executableTarget(
            name: "PeerAsyncHTTPClient",
            dependencies: [
                "BenchmarkHarness",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .executableTarget(name: "PeerURLSession", dependencies: ["BenchmarkHarness"]),
        .target(
            name: "HeliumSettings",
            dependencies: ["BenchmarkHarness", .product(name: "HeliumCurl", package: "helium")]
        ),
        .executableTarget(
            name: "HeliumTransport",
            dependencies: [
                "BenchmarkHarness", "HeliumSettings",
                .product(name: "HeliumCore", package: "helium"),
                .product(name: "HeliumCurl", package: "helium"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "HeliumSDK",
            dependencies: ["BenchmarkHarness", "HeliumSettings", .product(name: "HeliumKit", package: "helium")]
        ),
        .target(
            name: "DecodingHarness",
            dependencies: ["BenchmarkHarness", .product(name: "HeliumJSON", package: "helium")]
        ),
        .executableTarget(
            name: "JSONCoding",
            dependencies: ["BenchmarkHarness", "DecodingHarness", .product(name: "HeliumJSON", package: "helium")]
        ),
        .executableTarget(
            name: "CosmCoding",
            dependencies: ["BenchmarkHarness", "DecodingHarness", .product(name: "Cosm", package: "helium")]
        ),
        .executableTarget(
            name: "AppNetCoding",
            dependencies: [
                "BenchmarkHarness", "DecodingHarness",
                .product(name: "AppNet", package: "helium"),
                .product(name: "HeliumJSON", package: "helium"),
            ]
        ),
        .executableTarget(
            name: "CosmServing",
            dependencies: [
                "BenchmarkHarness",
                .product(name: "Cosm", package: "helium"),
                .product(name: "HeliumServer", package: "helium"),
            ]
        ),
        .target(name: "MemoryCount"),
        .target(name: "BareTriangles"),
        .executableTarget(
            name: "ConAirSeries",
            dependencies: [
                "BareTriangles", "BenchmarkHarness", "MemoryCount",
                .product(name: "ConAir", package: "helium"),
                .product(name: "HeliumCore", package: "helium"),
                .product(name: "HeliumCurl", package: "helium"),
                .product(name: "HeliumKit", package: "helium"),
                .product(name: "HeliumServer", package: "helium"),
                .product(name: "HeliumTesting", package: "helium"),
            ]
        ),
        .executableTarget(
            name: "JetstreamTrees",
            dependencies: [
                "BenchmarkHarness", "MemoryCount",
                .product(name: "HeliumJSON", package: "helium"),
                .product(name: "JetstreamCore", package: "helium"),
            ]
        ),
        .executableTarget(
            name: "JetstreamServing",
            dependencies: [
                "BenchmarkHarness",
                .product(name: "HeliumJSON", package: "helium"),
                .product(name: "HeliumWebSocket", package: "helium"),
                .product(name: "JetstreamCore", package: "helium"),
                .product(name: "JetstreamHosting", package: "helium"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]
        ),
        // OpenSSL, for TLS and for the answer to the upgrade.
        .executableTarget(
            name: "RawWebSocket",
            dependencies: ["PeerFailure"],
            linkerSettings: [
                .linkedLibrary("ssl", .when(platforms: [.linux])), .linkedLibrary("crypto", .when(platforms: [.linux])),
            ]
        ),
        .executableTarget(
            name: "WebSocketEcho",
            dependencies: ["BenchmarkHarness", .product(name: "HeliumWebSocket", package: "helium")]
        ),
        .executableTarget(name: "RawIdle", dependencies: ["PeerFailure"], linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "WebSocketIdle",
            dependencies: [
                "BenchmarkHarness",
                .product(name: "HeliumCurl", package: "helium"),
                .product(name: "HeliumKit", package: "helium"),
                .product(name: "HeliumWebSocket", package: "helium"),
            ]
        ),
        .executableTarget(
            name: "Signing",
            dependencies: [
                "BenchmarkHarness",
                .product(name: "HeliumCrypto", package: "helium"),
                .product(name: "HeliumKit", package: "helium"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// What MessageBeast does inside of a fetch can be measured with testability alone, which would make the others slower: it is
// built by itself, with `-enable-testing` (Scripts/bench.py).
if Context.environment["HELIUM_BENCH_TESTABLE"] != nil {
    package.targets.append(.target(name: "BareSQLite", linkerSettings: [.linkedLibrary("sqlite3")]))
    package.targets.append(
        .executableTarget(
            name: "BeastStore",
            dependencies: [
                "BareSQLite", "BenchmarkHarness",
                .product(name: "AppNet", package: "helium"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HeliumCore", package: "helium"),
                .product(name: "HeliumJSON", package: "helium"),
                .product(name: "HeliumKit", package: "helium"),
                .product(name: "MessageBeast", package: "helium"),
            ]
        )
    )
}

let inC = [
    "BareSQLite", "BareTriangles", "MemoryCount", "PeerFailure", "PeerRun", "RawCurl", "RawEngine", "RawIdle",
    "RawWebSocket",
]
for target in package.targets where !inC.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
