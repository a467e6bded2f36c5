// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// SwiftPM leaves out a dependency only if each use of its products outside of test targets is conditional.
let server = TargetDependencyCondition.when(traits: ["Server"])
let database = TargetDependencyCondition.when(traits: ["Server", "MessageBeast"])
let messageBeast = TargetDependencyCondition.when(traits: ["MessageBeast"])
let commandLineTool = TargetDependencyCondition.when(traits: ["CommandLineTool"])
let jetstream = TargetDependencyCondition.when(traits: ["Jetstream"])

// Async functions of the client run where their caller does: no change of threads that nobody needs, and closures of an
// actor's can be given to them.
let nonsending: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "helium",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "HeliumKit", targets: ["HeliumKit"]),
        .library(name: "HeliumCore", targets: ["HeliumCore"]),
        .library(name: "HeliumFoundation", targets: ["HeliumFoundation"]),
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
        .library(name: "MessageBeast", targets: ["MessageBeast"]),
        .library(name: "ConAir", targets: ["ConAir"]),
        .library(name: "ConAirSQLite", targets: ["ConAirSQLite"]),
        .library(name: "ConAirPage", targets: ["ConAirPage"]),
        .library(name: "Jetstream", targets: ["Jetstream"]),
        .library(name: "JetstreamCore", targets: ["JetstreamCore"]),
        .library(name: "JetstreamHosting", targets: ["JetstreamHosting"]),
        .executable(name: "helium", targets: ["HeliumCLI"]),
    ],
    // A package that disables a trait does not fetch what only that trait's targets need. The client, Cosm and AppNet need
    // none of them. In this repository all are on.
    traits: [
        .trait(
            name: "Server",
            description: "HeliumServer, HeliumServerTesting and ConAirPage, on Hummingbird and GRDB."
        ),
        .trait(name: "MessageBeast", description: "MessageBeast and ConAirSQLite, on GRDB."),
        .trait(
            name: "CommandLineTool",
            description: "The executable helium, on swift-argument-parser.",
            enabledTraits: ["MessageBeast", "Server"]
        ),
        .trait(name: "Jetstream", description: "Jetstream with the macro @Model, on swift-syntax."),
        .default(enabledTraits: ["Server", "MessageBeast", "CommandLineTool", "Jetstream"]),
    ],
    // Each version is the oldest that is believed to have the API used here. `make test-oldest` proves those that it can fetch,
    // and says which it could not. A newer one that another package asks for wins, as always.
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        // Sendable log handlers and metadata.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Sendable handlers.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        // Instants of a tracer's own, Sendable spans.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
        // `EventLoop.assumeIsolated`, 2.77, and the strict concurrency of the handlers, which was complete by 2.81.
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        // Graceful shutdown in the caller's isolation.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        // The handler of a connection's state is public.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // Requests of HTTP/1 as swift-http-types; Hummingbird has it too.
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.29.0"),
        // Swift 6.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        // Sendable configurations of commands.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // A first number for each Swift; a range, because other packages with macros ask for theirs.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        // C shims: each is imported by exactly one Swift target.
        .target(
            name: "CLibcurl",
            // OpenSSL: to see how a TLS connection ended (TLSEnd.c), which libcurl does not report.
            linkerSettings: [.linkedLibrary("curl"), .linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CThread"),
        .target(name: "CHostName", linkerSettings: [.linkedLibrary("curl")]),
        .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),

        // The client, bottom up.
        .target(name: "HeliumEssentials"),
        .target(name: "HeliumConcurrency", dependencies: ["CThread"]),
        .target(name: "HeliumFiles"),
        .target(name: "HeliumJSON", dependencies: ["HeliumEssentials"]),
        .target(
            name: "HeliumCore",
            dependencies: [
                "CHostName", "HeliumConcurrency", "HeliumEssentials", "HeliumFiles", "HeliumJSON",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: nonsending
        ),
        .target(name: "HeliumCrypto", dependencies: ["COpenSSL"]),
        .target(name: "HeliumCompression", dependencies: ["CZlib"]),
        .target(
            name: "HeliumCurl",
            dependencies: [
                "HeliumCompression", "HeliumConcurrency", "HeliumCore", "HeliumEssentials", "CLibcurl",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: nonsending
        ),
        .target(
            name: "HeliumKit",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCurl", "HeliumCrypto", "HeliumEssentials", "HeliumFiles",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: nonsending
        ),
        // What of the client needs Foundation's larger half.
        .target(name: "HeliumFoundation", dependencies: ["HeliumConcurrency", "HeliumJSON", "HeliumKit"]),

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
                .product(name: "NIOTLS", package: "swift-nio"),
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
        .target(
            name: "ConAir",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCurl", "HeliumJSON", "HeliumKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Databases, for the server and the engines.
        .target(
            name: "HeliumDatabase",
            dependencies: ["HeliumFiles", .product(name: "GRDB", package: "GRDB.swift", condition: database)]
        ),

        // The engines, each on one system.
        .target(
            name: "MessageBeast",
            dependencies: [
                "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumFiles",
                "HeliumJSON", "HeliumWebSocket",
                .product(name: "GRDB", package: "GRDB.swift", condition: messageBeast),
            ]
        ),

        .target(
            name: "ConAirSQLite",
            dependencies: [
                "ConAir", "HeliumConcurrency", "HeliumDatabase", "HeliumFiles",
                .product(name: "GRDB", package: "GRDB.swift", condition: database),
            ]
        ),

        // Jetstream without its macro: wire, connection, trees and change sets.
        .target(
            name: "JetstreamCore",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumFiles", "HeliumJSON", "HeliumWebSocket",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),

        // Jetstream with its macro: a product of its own, because swift-syntax takes minutes to compile.
        .macro(
            name: "JetstreamMacros",
            dependencies: [
                "JetstreamMacroExpansion",
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: jetstream),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: jetstream),
            ]
        ),
        .target(
            name: "JetstreamMacroExpansion",
            dependencies: [
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: jetstream),
                .product(name: "SwiftParser", package: "swift-syntax", condition: jetstream),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: jetstream),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: jetstream),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: jetstream),
            ]
        ),
        .target(name: "Jetstream", dependencies: ["HeliumJSON", "JetstreamCore", "JetstreamMacros"]),

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
            dependencies: ["HeliumCore", "HeliumFiles", .product(name: "HTTPTypes", package: "swift-http-types")]
        ),
        // The server: what all protocols share, a room for each, and the composition.
        .target(
            name: "HeliumServerKit",
            dependencies: [
                "HeliumCompression", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumFiles",
                "HeliumJSON", "HeliumWebSocketFraming",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: server),
                .product(name: "HummingbirdHTTP2", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: server),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: server),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "MiddlewareServer",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumJSON", "HeliumServerKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "CosmServer",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCurl", "HeliumDatabase", "HeliumJSON", "HeliumServerKit",
                "HeliumWebSocketFraming",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "AppNetServer",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumJSON", "HeliumServerKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "JetstreamHosting",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumDatabase", "HeliumFiles", "HeliumJSON", "HeliumServerKit",
                "HeliumWebSocketFraming",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "ConAirServer",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumDatabase", "HeliumJSON", "HeliumServerKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        // A page of a store of ConAir: a user of both, and no protocol of HeliumServer.
        .target(
            name: "ConAirPage",
            dependencies: [
                "ConAir", "HeliumConcurrency", "HeliumCore", "HeliumFiles", "HeliumJSON", "HeliumServerKit",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
            ]
        ),
        .target(
            name: "HeliumServer",
            dependencies: [
                "AppNetServer", "ConAirServer", "CosmServer", "HeliumServerKit", "JetstreamHosting", "MiddlewareServer",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "HeliumServerTesting",
            dependencies: [
                "HeliumConcurrency", "HeliumCore", "HeliumServer", "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),

        // The command-line tool.
        .executableTarget(
            name: "HeliumCLI",
            dependencies: [
                "AppNet", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumConcurrency", "HeliumFiles",
                "HeliumKit",
                "HeliumCrypto", "HeliumServer", "HeliumWebSocket", "JetstreamCore", "MessageBeast",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: commandLineTool),
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

        // Model classes written by hand, so that fuzzing and soaking need no macro.
        .target(name: "JetstreamTestModels", dependencies: ["JetstreamCore"], path: "Tests/JetstreamTestModels"),
        // Clients whose sockets are cut: for a test and for `make soak`.
        .target(
            name: "JetstreamSoak",
            dependencies: [
                "TestSupport", "JetstreamTestModels", "HeliumConcurrency", "HeliumCore", "HeliumJSON",
                "HeliumWebSocket", "JetstreamCore", "JetstreamHosting",
            ],
            path: "Tests/JetstreamSoak"
        ),
        // A client that a test kills.
        .executableTarget(
            name: "JetstreamCrashClient",
            dependencies: ["HeliumJSON", "JetstreamCore"],
            path: "Tests/JetstreamCrashClient"
        ),
        .testTarget(
            name: "JetstreamLiveTests",
            dependencies: [
                "TestSupport", "JetstreamCrashClient", "JetstreamSoak", "JetstreamTestModels", "HeliumConcurrency",
                "HeliumCore", "HeliumJSON", "HeliumTesting", "HeliumWebSocket", "JetstreamCore", "JetstreamHosting",
            ]
        ),
        // What is fuzzed, a function each: for the tests and for `make fuzz`.
        .target(
            name: "FuzzSupport",
            dependencies: [
                "TestSupport", "JetstreamTestModels",
                "AppNet", "ConAir", "Cosm", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumTesting", "JetstreamCore",
                "JetstreamHosting", "MessageBeast",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/FuzzSupport"
        ),
        .testTarget(
            name: "HeliumCoreTests",
            dependencies: [
                "TestSupport",
                "FuzzSupport", "HeliumCore", "HeliumKit", "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(name: "HeliumConcurrencyTests", dependencies: ["TestSupport", "HeliumConcurrency"]),
        .testTarget(name: "HeliumFilesTests", dependencies: ["TestSupport", "HeliumFiles"]),
        .testTarget(name: "HeliumCryptoTests", dependencies: ["HeliumCrypto"]),
        .testTarget(name: "HeliumJSONTests", dependencies: ["TestSupport", "HeliumFoundation", "HeliumJSON"]),
        .testTarget(
            name: "HeliumCurlTests",
            dependencies: [
                "TestSupport", "HeliumCompression",
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
                "HeliumFoundation", "HeliumKit", "HeliumTesting", "HeliumCrypto",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "HeliumServerTests",
            dependencies: [
                "TestSupport",
                "AppNetServer", "ConAirServer", "CosmServer", "HeliumDatabase", "HeliumJSON", "HeliumServer",
                "HeliumServerKit", "MiddlewareServer", "HeliumServerTesting", "HeliumTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "HeliumServerTestingTests",
            dependencies: [
                "TestSupport", "AppNet", "HeliumCore", "HeliumCurl", "HeliumServer", "HeliumServerTesting",
                "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "TestSupport", "WireSupport",
                "AppNet", "CLibcurl", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumCurl", "HeliumFoundation",
                "HeliumKit",
                "HeliumLifecycle",
                "HeliumServer",
                "HeliumServerTesting", "HeliumTesting",
                "HeliumWebSocket", "Jetstream", "JetstreamHosting", "MessageBeast", "SmallClient",
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
            name: "ConAirTests",
            dependencies: [
                "TestSupport", "ConAir", "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumKit", "HeliumTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "ConAirSQLiteTests",
            dependencies: [
                "TestSupport", "ConAir", "ConAirSQLite", "HeliumTesting", .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "ConAirPageTests",
            dependencies: [
                "TestSupport", "WireSupport", "ConAir", "ConAirPage", "HeliumConcurrency", "HeliumCore", "HeliumJSON",
                "HeliumServerKit", "HeliumTesting",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "HeliumDatabaseTests",
            dependencies: [
                "HeliumDatabase", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "JetstreamCoreTests",
            dependencies: [
                "TestSupport", "WireSupport", "HeliumConcurrency", "HeliumCore", "HeliumJSON", "HeliumTesting",
                "HeliumWebSocket", "JetstreamCore", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "JetstreamMainActorTests",
            dependencies: ["HeliumJSON", "Jetstream", "JetstreamCore"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "JetstreamMacrosTests",
            dependencies: [
                "JetstreamMacroExpansion",
                .product(name: "SwiftDiagnostics", package: "swift-syntax"),
                .product(name: "SwiftParser", package: "swift-syntax"),
                .product(name: "SwiftSyntax", package: "swift-syntax"),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
            ]
        ),
        .testTarget(
            name: "JetstreamTests",
            dependencies: ["TestSupport", "HeliumJSON", "Jetstream", "JetstreamCore", "JetstreamHosting"]
        ),
        .testTarget(
            name: "JetstreamHostingTests",
            dependencies: [
                "TestSupport", "HeliumCLI", "HeliumConcurrency", "HeliumCore", "HeliumDatabase", "HeliumFiles",
                "HeliumJSON", "HeliumServerKit", "HeliumTesting", "HeliumWebSocket", "JetstreamHosting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "MessageBeastTests",
            dependencies: [
                "TestSupport", "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase",
                "HeliumFiles",
                "HeliumJSON", "HeliumServer", "HeliumServerTesting", "HeliumTesting", "MessageBeast",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
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
                "TestSupport", "WireSupport", "ConAir", "ConAirSQLite", "Cosm", "HeliumCLI", "HeliumConcurrency",
                "HeliumCrypto", "HeliumKit",
                "HeliumServer", "HeliumServerTesting", "HeliumTesting", "JetstreamCore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),

        // Examples for readers, compiled and run by `make examples` and `make test`; no products.
        .executableTarget(
            name: "ServiceClient",
            dependencies: ["HeliumKit", "HeliumTesting"],
            path: "Examples/ServiceClient"
        ),
        .executableTarget(name: "SmallClient", dependencies: ["HeliumKit"], path: "Examples/SmallClient"),
        .executableTarget(
            name: "SignedDevice",
            dependencies: ["HeliumKit", "HeliumServer", "HeliumServerTesting"],
            path: "Examples/SignedDevice"
        ),
        .executableTarget(
            name: "CosmLogger",
            dependencies: ["Cosm", "HeliumServer", "HeliumServerTesting", "HeliumTesting"],
            path: "Examples/CosmLogger"
        ),
        .executableTarget(
            name: "AppNetBot",
            dependencies: ["AppNet", "HeliumServer", "HeliumServerTesting"],
            path: "Examples/AppNetBot"
        ),
        .testTarget(
            name: "PriceWatchTests",
            dependencies: ["HeliumKit", "HeliumTesting", .product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Examples/PriceWatchTests"
        ),

        // What `make fuzz`, `make soak`, `make interop` and `make test-browser` run; no products.
        .executableTarget(name: "FuzzRunner", dependencies: ["FuzzSupport"], path: "Tests/Fuzz"),
        // The cost target: a test runs it too.
        .target(name: "CCostProbe", path: "Tests/CostProbe"),
        .executableTarget(
            name: "CostRunner",
            dependencies: [
                "CCostProbe", "CosmServer", "FuzzSupport", "HeliumServer", "HeliumWebSocket", "HeliumWebSocketFraming",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/Cost"
        ),
        .testTarget(name: "CostRunnerTests", dependencies: ["CostRunner", "FuzzSupport"]),
        // Simulations: a test runs them too, in processes of their own, because the hooks of a scheduler are the process's.
        .target(name: "SimulationHooks", path: "Tests/SimulationHooks"),
        .target(
            name: "SimulationSupport",
            dependencies: [
                "SimulationHooks", "TestSupport",
                "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumServerTesting",
                "HeliumTesting",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/SimulationSupport"
        ),
        .executableTarget(
            name: "SimulationRunner",
            dependencies: [
                "SimulationSupport",
                "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumJSON",
                "HeliumServer", "HeliumServerTesting", "HeliumTesting", "JetstreamCore", "JetstreamHosting",
                "MessageBeast",
                .product(name: "GRDB", package: "GRDB.swift", condition: server),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/Simulation",
            // The faults that `make simulate-bites` plants.
            exclude: ["Planted"]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "CrashRunner", "SimulationRunner", "SimulationSupport", "TestSupport",
                "HeliumCore", "HeliumDatabase", "HeliumServerTesting", "HeliumTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "CrashRunner",
            dependencies: [
                "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumKit", "HeliumServer", "HeliumServerTesting",
                "MessageBeast", "TestSupport",
            ],
            path: "Tests/Crash"
        ),
        .executableTarget(
            name: "SoakRunner",
            dependencies: [
                "TestSupport",
                "AppNet", "Cosm", "HeliumKit", "HeliumServer", "HeliumServerTesting", "HeliumTesting",
                "HeliumWebSocket", "JetstreamSoak",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird", condition: server),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Soak"
        ),
        .executableTarget(
            name: "InteropRunner",
            dependencies: ["HeliumKit", .product(name: "HTTPTypes", package: "swift-http-types")],
            path: "Tests/Interop",
            // Python: see Scripts/interop.sh.
            exclude: ["adnpy", "pnutpy"]
        ),
        // A real browser looks at ConAir's page: see Scripts/browser.sh.
        .executableTarget(
            name: "BrowserRunner",
            dependencies: [
                "TestSupport", "ConAir", "ConAirPage", "HeliumJSON", "HeliumKit", "HeliumServer",
            ],
            path: "Tests/Browser"
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
