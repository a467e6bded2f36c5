// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// MARK: Names for what many targets depend on

// SwiftPM leaves out a dependency only if each use of its products outside of test targets is conditional.
let server = TargetDependencyCondition.when(traits: ["Server"])
let messageBeast = TargetDependencyCondition.when(traits: ["MessageBeast"])
let database = TargetDependencyCondition.when(traits: ["Server", "MessageBeast"])
let commandLineTool = TargetDependencyCondition.when(traits: ["CommandLineTool"])
let jetstream = TargetDependencyCondition.when(traits: ["Jetstream"])

extension Target.Dependency {
    static let http = product(name: "HTTPTypes", package: "swift-http-types")
    static let logging = product(name: "Logging", package: "swift-log")
    static let metrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
    static let serviceLifecycle = product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    static let unixSignals = product(name: "UnixSignals", package: "swift-service-lifecycle")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl")

    static func nio(_ module: String) -> Self { product(name: "NIO\(module)", package: "swift-nio") }

    static func nioExtras(_ name: String) -> Self {
        product(name: name, package: "swift-nio-extras", condition: server)
    }

    static func hummingbird(_ module: String = "", _ condition: TargetDependencyCondition? = server) -> Self {
        product(name: "Hummingbird\(module)", package: "hummingbird", condition: condition)
    }

    static func grdb(_ condition: TargetDependencyCondition? = nil) -> Self {
        product(name: "GRDB", package: "GRDB.swift", condition: condition)
    }

    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")

    static func argumentParser(_ condition: TargetDependencyCondition? = nil) -> Self {
        product(name: "ArgumentParser", package: "swift-argument-parser", condition: condition)
    }

    static func syntax(_ name: String, _ condition: TargetDependencyCondition? = nil) -> Self {
        product(name: name, package: "swift-syntax", condition: condition)
    }
}

/// Values, requests, responses and their documents.
let core: [Target.Dependency] = ["HeliumConcurrency", "HeliumCore", "HeliumJSON", .http]
/// The client and its sockets.
let client: [Target.Dependency] = core + ["HeliumKit", "HeliumWebSocket"]
/// A protocol of the server.
let room: [Target.Dependency] = core + ["HeliumDatabase", "HeliumServerKit", .logging, .grdb(server)]
/// The embedded server, for tests.
let embedded: [Target.Dependency] = ["HeliumServer", "HeliumServerTesting", "HeliumTesting"]

// Async functions of the client run where their caller does: no change of threads that nobody needs, and closures of an
// actor's can be given to them.
let nonsending: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

extension Target {
    /// A target in `Sources`.
    static func part(_ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting]? = nil) -> Target {
        target(name: name, dependencies: dependencies, swiftSettings: settings)
    }

    /// The tests of a target, in `Tests/Suites`.
    static func suite(_ name: String, _ dependencies: [Target.Dependency], settings: [SwiftSetting]? = nil) -> Target {
        let all = ["TestSupport"] + dependencies
        return testTarget(name: name, dependencies: all, path: "Tests/Suites/\(name)", swiftSettings: settings)
    }

    /// A part of the tests that several suites, or the programs of `Tests/Proofs`, share: in `Tests/Support`.
    static func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)")
    }
}

// MARK: Targets

/// What users compile, bottom up.
let sources: [Target] = [
    // C shims: each is imported by exactly one Swift target. OpenSSL in the first: to see how a TLS connection ended
    // (TLSEnd.c), which libcurl does not report.
    .target(name: "CLibcurl", linkerSettings: ["curl", "ssl", "crypto"].map { .linkedLibrary($0) }),
    .target(name: "COpenSSL", linkerSettings: ["ssl", "crypto"].map { .linkedLibrary($0) }),
    .target(name: "CThread"),
    .target(name: "CHostName", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),

    // The client.
    .target(name: "HeliumEssentials"),
    .part("HeliumConcurrency", ["CThread"]),
    .target(name: "HeliumFiles"),
    .part("HeliumJSON", ["HeliumEssentials"]),
    .part(
        "HeliumCore",
        [
            "CHostName", "HeliumConcurrency", "HeliumEssentials", "HeliumFiles", "HeliumJSON", .http, .metrics,
            .logging, .tracing,
        ],
        settings: nonsending
    ),
    .part("HeliumCrypto", ["COpenSSL"]),
    .part("HeliumCompression", ["CZlib"]),
    .part(
        "HeliumCurl",
        [
            "CLibcurl", "HeliumCompression", "HeliumConcurrency", "HeliumCore", "HeliumEssentials", .http,
        ],
        settings: nonsending
    ),
    .part(
        "HeliumKit",
        [
            "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumCurl", "HeliumEssentials", "HeliumFiles", .http,
        ],
        settings: nonsending
    ),
    // What of the client needs Foundation's larger half.
    .part("HeliumFoundation", ["HeliumConcurrency", "HeliumJSON", "HeliumKit"]),
    // The client as a service of a service group: a product of its own, so that only those who want it build it.
    .part("HeliumLifecycle", ["HeliumKit", .serviceLifecycle]),

    // WebSockets, on SwiftNIO: whoever uses only HeliumKit builds none of it. Client and server share the framing.
    .part("HeliumWebSocketFraming", [.nio("Core")]),
    .part(
        "HeliumWebSocket",
        [
            "HeliumConcurrency", "HeliumCore", "HeliumWebSocketFraming", .http, .nio("Core"), .nio("HTTP1"),
            .nio("Posix"),
            .nio("TLS"), .nio("WebSocket"), .nioSSL,
        ]
    ),

    // The systems, each on HeliumKit and none on another.
    .part("Cosm", client),
    .part("AppNet", client),
    .part("ConAir", core + ["HeliumCurl", "HeliumKit"]),

    // Databases, for the server and the engines.
    .part("HeliumDatabase", ["HeliumFiles", .grdb(database)]),

    // The engines, each on one system.
    .part(
        "MessageBeast",
        [
            "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumFiles", "HeliumJSON",
            "HeliumWebSocket", .grdb(messageBeast),
        ]
    ),
    .part("ConAirSQLite", ["ConAir", "HeliumConcurrency", "HeliumDatabase", "HeliumFiles", .grdb(database)]),

    // Jetstream without its macro: wire, connection, trees and change sets.
    .part("JetstreamCore", core + ["HeliumFiles", "HeliumWebSocket"]),
    // Jetstream with its macro: a product of its own, because swift-syntax takes minutes to compile.
    .macro(
        name: "JetstreamMacros",
        dependencies: [
            "JetstreamMacroExpansion", .syntax("SwiftCompilerPlugin", jetstream),
            .syntax("SwiftSyntaxMacros", jetstream),
        ]
    ),
    .part(
        "JetstreamMacroExpansion",
        ["SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros"].map {
            .syntax($0, jetstream)
        }
    ),
    .part("Jetstream", ["HeliumJSON", "JetstreamCore", "JetstreamMacros"]),

    // Testing kits and the embedded server: what all protocols share, a room for each, and the composition.
    .part("HeliumTesting", ["HeliumCore", "HeliumFiles", .http]),
    .part(
        "HeliumServerKit",
        core + [
            "HeliumCompression", "HeliumCrypto", "HeliumDatabase", "HeliumFiles", "HeliumWebSocketFraming",
            .hummingbird("Core"), .hummingbird("HTTP2"), .logging, .serviceLifecycle, .grdb(server),
            .nio("Core"), .nio("HTTP1"), .nio("Posix"), .nio("TLS"), .nio("WebSocket"), .nioSSL,
            .nioExtras("NIOHTTPTypes"), .nioExtras("NIOHTTPTypesHTTP1"),
        ]
    ),
    .part("MiddlewareServer", room + ["HeliumCrypto"]),
    .part("CosmServer", room + ["HeliumCurl", "HeliumWebSocketFraming", .nio("Core")]),
    .part("AppNetServer", room + ["HeliumCrypto", .nio("Core")]),
    .part("JetstreamHosting", room + ["HeliumFiles", "HeliumWebSocketFraming", .nio("Core"), .serviceLifecycle]),
    .part("ConAirServer", room),
    // A page of a store of ConAir: a user of both, and no protocol of HeliumServer.
    .part(
        "ConAirPage",
        core + [
            "ConAir", "HeliumFiles", "HeliumServerKit", .logging, .serviceLifecycle, .grdb(server),
        ]
    ),
    .part(
        "HeliumServer",
        [
            "AppNetServer", "ConAirServer", "CosmServer", "HeliumServerKit", "JetstreamHosting", "MiddlewareServer",
            .http, .logging,
        ]
    ),
    .part(
        "HeliumServerTesting",
        [
            "HeliumConcurrency", "HeliumCore", "HeliumServer", "HeliumTesting", .http, .logging,
        ]
    ),

    // The command-line tool.
    .executableTarget(
        name: "HeliumCLI",
        dependencies: [
            "AppNet", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumConcurrency", "HeliumCrypto",
            "HeliumFiles",
            "HeliumKit", "HeliumServer", "HeliumWebSocket", "JetstreamCore", "MessageBeast",
            .argumentParser(commandLineTool), .http, .logging,
        ]
    ),
]

/// What suites and proofs share.
let support: [Target] = [
    .support("TestSupport"),
    // A server of raw bytes, for the tests of sockets.
    .support("WireSupport", ["HeliumConcurrency", .nio("Core"), .nio("Posix"), .nioSSL]),
    // Raw connections and JSON, for the tests of the server.
    .support("ServerSupport", embedded + ["HeliumServerKit", "MiddlewareServer", "TestSupport", .logging]),
    // Model classes written by hand, so that fuzzing and soaking need no macro.
    .support("JetstreamTestModels", ["JetstreamCore"]),
    // Clients whose sockets are cut.
    .support(
        "JetstreamSoak",
        core + ["HeliumWebSocket", "JetstreamCore", "JetstreamHosting", "JetstreamTestModels", "TestSupport"]
    ),
    // What is fuzzed, a function each.
    .support(
        "FuzzSupport",
        client + [
            "AppNet", "ConAir", "Cosm", "HeliumTesting", "JetstreamCore", "JetstreamHosting", "JetstreamTestModels",
            "MessageBeast", "TestSupport",
        ]
    ),
    // The instructions that long inputs cost.
    .support("CCostProbe"),
    .support(
        "CostSupport",
        [
            "CCostProbe", "CosmServer", "FuzzSupport", "HeliumServer", "HeliumWebSocket", "HeliumWebSocketFraming",
            .nio("Core"),
        ]
    ),
    // Simulations of MessageBeast and Jetstream.
    .support("SimulationHooks"),
    .support(
        "SimulationSupport",
        core + embedded + [
            "AppNet", "HeliumCrypto", "HeliumDatabase", "JetstreamCore", "JetstreamHosting", "MessageBeast",
            "SimulationHooks", "TestSupport", .grdb(server),
        ]
    ),
    // Kills of processes with MessageBeast.
    .support("CrashSupport", client + embedded + ["AppNet", "MessageBeast", "TestSupport"]),
    // The processes that tests start, measure and kill: one program, so that it is linked once.
    .executableTarget(
        name: "TestProcess",
        dependencies: ["CostSupport", "CrashSupport", "HeliumJSON", "JetstreamCore", "SimulationSupport"],
        path: "Tests/Support/TestProcess"
    ),
]

/// The rooms of the server, and what their tests share.
let rooms: [Target.Dependency] =
    core + embedded + [
        "AppNetServer", "ConAirServer", "CosmServer", "HeliumDatabase", "HeliumServerKit", "MiddlewareServer",
        "ServerSupport", .grdb(), .logging,
    ]

/// What Tests/Proofs uses of them.
let proofs = ["CostSupport", "CrashSupport", "FuzzSupport", "JetstreamSoak", "SimulationSupport", "TestSupport"]

/// One for each target in `Sources` that has tests of its own, and `IntegrationTests`.
let suites: [Target] = [
    .suite("HeliumConcurrencyTests", ["HeliumConcurrency"]),
    .suite("HeliumFilesTests", ["HeliumFiles"]),
    .suite("HeliumCryptoTests", ["HeliumCrypto"]),
    .suite("HeliumJSONTests", ["HeliumFoundation", "HeliumJSON"]),
    .suite(
        "HeliumCoreTests",
        ["FuzzSupport", "HeliumCore", "HeliumKit", "HeliumTesting", .http, .metrics, .logging, .tracing]
    ),
    .suite("HeliumCurlTests", ["HeliumCompression", "HeliumCore", "HeliumCurl", "HeliumTesting", .http]),
    .suite("HeliumKitTests", ["HeliumCrypto", "HeliumFoundation", "HeliumKit", "HeliumTesting", .http]),
    .suite(
        "HeliumLifecycleTests",
        ["HeliumKit", "HeliumLifecycle", "HeliumTesting", .http, .logging, .serviceLifecycle]
    ),
    .suite(
        "HeliumWebSocketTests",
        core + embedded + [
            "HeliumWebSocket", "HeliumWebSocketFraming", "WireSupport", .nio("Core"), .nio("Embedded"), .nio("HTTP1"),
            .nio("Posix"), .nio("WebSocket"), .nioSSL,
        ]
    ),
    .suite("CosmTests", client + embedded + ["Cosm", "WireSupport", .nio("Core"), .nio("Posix")]),
    .suite("AppNetTests", client + embedded + ["AppNet", "WireSupport", .nio("Core"), .nio("Posix")]),
    .suite("ConAirTests", core + ["ConAir", "HeliumKit", "HeliumTesting"]),
    .suite("HeliumDatabaseTests", ["HeliumDatabase", .grdb(), .sqlite]),
    .suite(
        "MessageBeastTests",
        core + embedded + ["AppNet", "HeliumCrypto", "HeliumDatabase", "HeliumFiles", "MessageBeast", .grdb(), .sqlite]
    ),
    .suite("ConAirSQLiteTests", ["ConAir", "ConAirSQLite", "HeliumTesting", .grdb()]),
    .suite("JetstreamCoreTests", core + ["HeliumTesting", "HeliumWebSocket", "JetstreamCore", "WireSupport"]),
    .suite(
        "JetstreamMacrosTests",
        [
            "JetstreamMacroExpansion", .syntax("SwiftDiagnostics"), .syntax("SwiftParser"), .syntax("SwiftSyntax"),
            .syntax("SwiftSyntaxBuilder"), .syntax("SwiftSyntaxMacroExpansion"), .syntax("SwiftSyntaxMacros"),
            .syntax("SwiftSyntaxMacrosGenericTestSupport"),
        ]
    ),
    .suite("JetstreamTests", ["HeliumJSON", "Jetstream", "JetstreamCore", "JetstreamHosting"]),
    .suite(
        "JetstreamMainActorTests",
        ["HeliumJSON", "Jetstream", "JetstreamCore"],
        settings: [.defaultIsolation(MainActor.self)]
    ),
    .suite(
        "JetstreamHostingTests",
        room + ["HeliumCLI", "HeliumFiles", "HeliumTesting", "HeliumWebSocket", "JetstreamHosting", .serviceLifecycle]
    ),
    .suite(
        "JetstreamLiveTests",
        core + [
            "HeliumTesting", "HeliumWebSocket", "JetstreamCore", "JetstreamHosting", "JetstreamSoak",
            "JetstreamTestModels",
            "TestProcess",
        ]
    ),
    .suite("HeliumTestingTests", ["FuzzSupport", "HeliumCurl", "HeliumKit", "HeliumTesting", .http]),
    .suite("HeliumServerKitTests", rooms + [.nio("Core"), .nio("Embedded"), .nio("Posix"), .serviceLifecycle]),
    .suite("MiddlewareServerTests", rooms),
    .suite("CosmServerTests", rooms),
    .suite("AppNetServerTests", rooms),
    .suite("ConAirServerTests", rooms),
    .suite("HeliumServerTests", rooms),
    .suite("HeliumServerTestingTests", embedded + ["AppNet", "HeliumCore", "HeliumCurl", .http]),
    .suite(
        "ConAirPageTests",
        core + [
            "ConAir", "ConAirPage", "HeliumServerKit", "HeliumTesting", "WireSupport", .logging, .serviceLifecycle,
        ]
    ),
    .suite(
        "HeliumCLITests",
        core + embedded + [
            "ConAir", "ConAirSQLite", "Cosm", "HeliumCLI", "HeliumCrypto", "HeliumKit", "JetstreamCore", "WireSupport",
            .argumentParser(), .grdb(), .nio("Core"),
        ]
    ),
    .suite("CostTests", ["CostSupport", "FuzzSupport", "TestProcess"]),
    .suite(
        "SimulationTests",
        embedded + ["HeliumCore", "HeliumDatabase", "SimulationSupport", "TestProcess", .grdb(), .http]
    ),
    .suite(
        "IntegrationTests",
        client + embedded + [
            "AppNet", "CLibcurl", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumCurl", "HeliumFoundation",
            "HeliumLifecycle", "Jetstream", "JetstreamHosting", "MessageBeast", "WireSupport", .hummingbird("", nil),
            .hummingbird("Core", nil), .hummingbird("HTTP2", nil), .logging, .metrics, .nio("Core"), .nioSSL,
            .serviceLifecycle, .tracing, .unixSignals,
        ]
    ),
]

// MARK: The package

/// Each target that users import is a product.
let libraries = [
    "HeliumKit", "HeliumCore", "HeliumFoundation", "HeliumCrypto", "HeliumCurl", "HeliumJSON", "HeliumLifecycle",
    "HeliumServer", "HeliumTesting", "HeliumServerTesting", "HeliumWebSocket", "Cosm", "AppNet", "MessageBeast",
    "ConAir", "ConAirSQLite", "ConAirPage", "Jetstream", "JetstreamCore", "JetstreamHosting",
]

let package = Package(
    name: "helium",
    platforms: [.macOS(.v15)],
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "helium", targets: ["HeliumCLI"]),
        // For the programs of Tests/Proofs only: no API, and no promise of any kind.
        .library(name: "_HeliumProofs", targets: proofs),
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
    targets: sources + support + suites,
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
