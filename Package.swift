// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

typealias Condition = TargetDependencyCondition
typealias Dependencies = [Target.Dependency]

// SwiftPM leaves out a dependency only if each use of its products outside of test targets is conditional.
let server = Condition.when(traits: ["Server"])
let lifecycle = Condition.when(traits: ["Lifecycle", "Server"])
let messageBeast = Condition.when(traits: ["MessageBeast"])
let database = Condition.when(traits: ["Server", "MessageBeast"])
let commandLineTool = Condition.when(traits: ["CommandLineTool"])
let jetstream = Condition.when(traits: ["Jetstream"])

extension Target.Dependency {
    static let http = product(name: "HTTPTypes", package: "swift-http-types")
    static let logging = product(name: "Logging", package: "swift-log")
    static let metrics = product(name: "CoreMetrics", package: "swift-metrics")
    static let tracing = product(name: "Tracing", package: "swift-distributed-tracing")
    static let serviceLifecycle = service("ServiceLifecycle")
    static let unixSignals = service("UnixSignals")
    static let nioSSL = product(name: "NIOSSL", package: "swift-nio-ssl", condition: server)
    static let nghttp2 = target(name: "CNGHTTP2", condition: .when(traits: ["HTTP2"]))
    static let sqlite = product(name: "GRDBSQLite", package: "GRDB.swift")

    private static func service(_ name: String) -> Self {
        product(name: name, package: "swift-service-lifecycle", condition: lifecycle)
    }

    static func grdb(_ when: Condition? = nil) -> Self { product(name: "GRDB", package: "GRDB.swift", condition: when) }

    static func argumentParser(_ condition: Condition? = nil) -> Self {
        product(name: "ArgumentParser", package: "swift-argument-parser", condition: condition)
    }
}

func products(_ prefix: String, _ names: [String], _ package: String, _ condition: Condition?) -> Dependencies {
    names.map { .product(name: prefix + $0, package: package, condition: condition) }
}

func nio(_ names: String...) -> Dependencies { products("NIO", names, "swift-nio", server) }
func nioExtras(_ names: String...) -> Dependencies { products("NIO", names, "swift-nio-extras", server) }
func hummingbird(_ names: String...) -> Dependencies { products("Hummingbird", names, "hummingbird", server) }
func syntax(_ names: String...) -> Dependencies { products("Swift", names, "swift-syntax", jetstream) }

/// Values, requests, responses and their documents.
let core: Dependencies = ["HeliumConcurrency", "HeliumCore", "HeliumJSON", .http]
/// The client and its sockets.
let client: Dependencies = core + ["HeliumCurl", "HeliumKit", "HeliumWebSocket"]
/// What the server's protocols share.
let serving: Dependencies = core + ["HeliumDatabase", "HeliumServerKit", .grdb(server), .logging]
/// The embedded server, for tests.
let embedded: Dependencies = ["HeliumServer", "HeliumServerTesting", "HeliumTesting"]

// MARK: Targets

let openSSL: [LinkerSetting] = [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
/// The C shims, each for one Swift target.
let shims: [Target] = [
    // OpenSSL, for what libcurl does not report: how TLS ended, and which protocol the peer chose (ChannelTLS.c).
    .target(name: "CLibcurl", linkerSettings: [.linkedLibrary("curl")] + openSSL),
    .target(name: "COpenSSL", linkerSettings: openSSL),
    .target(name: "CFiles"),
    .target(name: "CThread"),
    .target(name: "CHostName", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CNGHTTP2", linkerSettings: [.linkedLibrary("nghttp2", .when(traits: ["HTTP2"]))]),
]

/// The targets in `Sources` that users compile, bottom up, and what they depend on.
let sources: KeyValuePairs<String, Dependencies> = [
    // The client.
    "HeliumBytes": [],
    "HeliumEssentials": [],
    "HeliumConcurrency": ["CThread"],
    "HeliumFiles": ["CFiles"],
    "HeliumJSON": ["HeliumEssentials"],
    "HeliumCore": [
        "CHostName", "HeliumConcurrency", "HeliumEssentials", "HeliumFiles", "HeliumJSON", .http, .logging, .metrics,
        .tracing,
    ],
    "HeliumCrypto": ["COpenSSL"],
    "HeliumCompression": ["CZlib"],
    "HeliumWire": ["HeliumBytes", "HeliumCompression", "HeliumCore", "HeliumEssentials", .http, .nghttp2],
    "HeliumCurl": ["CLibcurl", "HeliumConcurrency", "HeliumCore", "HeliumEssentials", "HeliumWire", .http],
    "HeliumKit": [
        "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumCurl", "HeliumEssentials", "HeliumFiles", .http,
    ],
    // The part of the client that needs the larger half of Foundation.
    "HeliumFoundation": ["HeliumConcurrency", "HeliumJSON", "HeliumKit"],
    // The client as a service of a service group.
    "HeliumLifecycle": ["HeliumKit", .serviceLifecycle],

    // WebSockets. Client and server share the framing.
    "HeliumWebSocketFraming": ["HeliumBytes", "HeliumEssentials"],
    "HeliumWebSocket": ["HeliumKit", "HeliumWebSocketFraming", .http],

    // The systems, each on HeliumKit and none on another.
    "Cosm": client,
    "AppNet": client,
    "ConAir": core + ["HeliumCurl", "HeliumKit"],

    // The engines, each on one system, and their databases, which the server has too.
    "HeliumDatabase": ["HeliumFiles", .grdb(database)],
    "MessageBeast": [
        "AppNet", "HeliumConcurrency", "HeliumCore", "HeliumCrypto", "HeliumDatabase", "HeliumFiles", "HeliumJSON",
        "HeliumWebSocket", .grdb(messageBeast),
    ],
    "ConAirSQLite": ["ConAir", "HeliumConcurrency", "HeliumDatabase", "HeliumFiles", .grdb(database)],

    // Jetstream without its macro, and with it: a product of its own, because swift-syntax takes minutes to compile.
    "JetstreamCore": core + ["HeliumFiles", "HeliumWebSocket"],
    "Jetstream": ["JetstreamCore", "JetstreamMacros"],

    // Testing kits and the embedded server: what all protocols share, a target for each, and the composition.
    "HeliumTesting": ["HeliumCore", "HeliumFiles", .http],
    "HeliumServerKit": core
        + [
            "HeliumCompression", "HeliumCrypto", "HeliumDatabase", "HeliumWebSocketFraming", .logging,
            .serviceLifecycle, .grdb(server), .nioSSL,
        ]
        + hummingbird("Core", "HTTP2") + nio("Core", "HTTP1", "Posix", "TLS", "WebSocket")
        + nioExtras("HTTPTypes", "HTTPTypesHTTP1"),
    "MiddlewareServer": serving + ["HeliumCrypto"],
    "CosmServer": serving + ["HeliumCurl", "HeliumWebSocketFraming"] + nio("Core", "Posix"),
    "AppNetServer": serving + ["HeliumCrypto"],
    "JetstreamHosting": serving + ["HeliumWebSocketFraming", .serviceLifecycle],
    "ConAirServer": serving,
    // A page of a store of ConAir: a user of both, and no protocol of HeliumServer.
    "ConAirPage": core + ["ConAir", "HeliumFiles", "HeliumServerKit", .grdb(server), .logging, .serviceLifecycle],
    "HeliumServer": [
        "AppNetServer", "ConAirServer", "CosmServer", "HeliumServerKit", "JetstreamHosting", "MiddlewareServer",
        .http, .logging,
    ],
    "HeliumServerTesting": ["HeliumConcurrency", "HeliumCore", "HeliumServer", "HeliumTesting", .http, .logging],
]

// Async functions of the client run where their caller does, so that closures of an actor can be passed to them.
let nonsending = ["HeliumCore", "HeliumCurl", "HeliumKit"]

/// The compiler plug-in of Jetstream, and a program with the same files for its tests. Any other kind of target with
/// swift-syntax would compile it a second time.
let expansion = syntax("Diagnostics", "Parser", "Syntax", "SyntaxBuilder", "SyntaxMacros")
let macros: [Target] = [
    .macro(name: "JetstreamMacros", dependencies: expansion + syntax("CompilerPlugin")),
    .macro(
        name: "MacroProbe",
        dependencies: expansion + syntax("ParserDiagnostics", "SyntaxMacroExpansion"),
        path: "Tests/Support/MacroProbe"
    ),
]

let tool = Target.executableTarget(
    name: "HeliumCLI",
    dependencies: client + [
        "AppNet", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumCrypto", "HeliumFiles", "HeliumServer",
        "JetstreamCore", "MessageBeast", .argumentParser(commandLineTool), .logging,
    ]
)

/// The targets in `Tests/Support`: what suites and the programs of `Tests/Proofs` share.
let support: KeyValuePairs<String, Dependencies> = [
    "TestSupport": [],
    // Starts the macro probe. A suite that depended on the probe itself would be built for the host.
    "MacroSupport": ["MacroProbe", "TestSupport"],
    // A server of raw bytes, for the tests of sockets.
    "CTLSPeer": ["COpenSSL"],
    "WireSupport": ["CTLSPeer", "HeliumConcurrency", .nioSSL] + nio("Core", "Posix"),
    // Raw connections and JSON, for the tests of the server.
    "ServerSupport": ["HeliumServerKit", "HeliumServerTesting", "MiddlewareServer", .logging],
    // Model classes written by hand, so that fuzzing and soaking need no macro; and clients whose sockets are cut.
    "JetstreamTestModels": ["JetstreamCore"],
    "JetstreamSoak": core + [
        "HeliumWebSocket", "JetstreamCore", "JetstreamHosting", "JetstreamTestModels", "TestSupport",
    ],
    // What is fuzzed, a function each, and the instructions that long inputs cost.
    "FuzzSupport": client + [
        "AppNet", "ConAir", "Cosm", "HeliumTesting", "HeliumWebSocketFraming", "HeliumWire", "JetstreamCore",
        "JetstreamHosting", "JetstreamTestModels", "MessageBeast", "MiddlewareServer", "TestSupport",
    ],
    "CCostProbe": [],
    "CostSupport": ["CCostProbe", "FuzzSupport", "HeliumServer", "HeliumWebSocket"],
    // Simulations of MessageBeast, Jetstream and the transport, and kills of processes with MessageBeast.
    "SimulationHooks": [],
    "SimulationSupport": core + embedded + [
        "HeliumCompression", "HeliumCurl", "HeliumWire", "JetstreamCore", "MessageBeast", "SimulationHooks",
        "TestSupport", .grdb(server), .nghttp2,
    ],
    "CrashSupport": core + embedded + ["AppNet", "HeliumKit", "MessageBeast", "TestSupport"],
]

/// The processes that tests start, measure and kill: one program, so that it is linked once.
let process = Target.executableTarget(
    name: "TestProcess",
    dependencies: ["CostSupport", "CrashSupport", "HeliumJSON", "JetstreamCore", "SimulationSupport"],
    path: "Tests/Support/TestProcess"
)

/// The server with all its protocols, for their tests.
let servers: Dependencies = core + embedded + ["HeliumDatabase", "ServerSupport", .grdb(), .logging]

/// The targets in `Tests/Suites`: one for each target in `Sources` that has tests of its own, those of the proofs, and
/// `IntegrationTests`. Each has `TestSupport`.
let suites: KeyValuePairs<String, Dependencies> = [
    "HeliumBytesTests": ["HeliumBytes"],
    "HeliumConcurrencyTests": ["HeliumConcurrency"],
    "HeliumFilesTests": ["HeliumFiles"],
    "HeliumCryptoTests": ["HeliumCrypto"],
    "HeliumWireTests": ["HeliumTesting", "HeliumWire", .http],
    "HeliumJSONTests": ["HeliumFoundation", "HeliumJSON"],
    "HeliumCoreTests": [
        "FuzzSupport", "HeliumCore", "HeliumKit", "HeliumTesting", .http, .logging, .metrics, .tracing,
    ],
    "HeliumCurlTests": embedded + ["HeliumCurl", "WireSupport", .http, .nioSSL] + nio("Core"),
    "HeliumKitTests": ["HeliumCore", "HeliumCrypto", "HeliumFoundation", "HeliumKit", "HeliumTesting", .http],
    "HeliumLifecycleTests": ["HeliumKit", "HeliumLifecycle", "HeliumTesting", .http, .logging, .serviceLifecycle],
    "HeliumWebSocketTests": client + embedded + [
        "HeliumBytes", "HeliumWebSocketFraming", "MiddlewareServer", "WireSupport", .logging, .metrics, .nioSSL,
        .tracing,
    ],
    "CosmTests": client + embedded + ["Cosm", "WireSupport"] + nio("Core"),
    "AppNetTests": client + embedded + ["AppNet", "WireSupport"] + nio("Core"),
    "ConAirTests": core + ["ConAir", "HeliumKit", "HeliumTesting"],
    "HeliumDatabaseTests": ["HeliumDatabase", .grdb(), .sqlite],
    "MessageBeastTests": core + embedded + ["MessageBeast", .grdb(), .sqlite],
    "ConAirSQLiteTests": ["ConAir", "ConAirSQLite", "HeliumTesting", .grdb()],
    "JetstreamCoreTests": core + ["HeliumTesting", "HeliumWebSocket", "JetstreamCore", "WireSupport"],
    "JetstreamMacrosTests": ["MacroSupport"],
    "JetstreamTests": core + ["Jetstream", "JetstreamCore", "JetstreamHosting"],
    "JetstreamMainActorTests": ["HeliumJSON", "Jetstream", "JetstreamCore"],
    "JetstreamHostingTests": serving + [
        "HeliumCLI", "HeliumTesting", "HeliumWebSocket", "JetstreamHosting", .serviceLifecycle,
    ],
    "JetstreamLiveTests": core + ["JetstreamSoak", "TestProcess"],
    "HeliumTestingTests": ["FuzzSupport", "HeliumCore", "HeliumCurl", "HeliumKit", "HeliumTesting", .http],
    "HeliumServerKitTests": servers + [.nioSSL, .serviceLifecycle] + nio("Core", "Embedded", "Posix"),
    "MiddlewareServerTests": servers,
    "CosmServerTests": servers,
    "AppNetServerTests": servers,
    "ConAirServerTests": servers,
    "HeliumServerTests": servers + ["JetstreamHosting"],
    "HeliumServerTestingTests": embedded + ["AppNet", "HeliumCore", "HeliumCurl", .http],
    "ConAirPageTests": core + [
        "ConAir", "ConAirPage", "HeliumServerKit", "HeliumTesting", "WireSupport", .logging, .serviceLifecycle,
    ],
    "HeliumCLITests": core + embedded + [
        "ConAir", "ConAirSQLite", "Cosm", "HeliumCLI", "HeliumCrypto", "HeliumKit", "JetstreamCore", "WireSupport",
        .argumentParser(), .grdb(), .logging,
    ] + nio("Core"),
    "CostTests": ["FuzzSupport", "TestProcess"],
    "SimulationTests": core + ["HeliumDatabase", "HeliumTesting", "SimulationSupport", "TestProcess", .grdb()],
    "IntegrationTests": client + embedded + [
        "AppNet", "CLibcurl", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumCrypto", "HeliumFoundation",
        "HeliumLifecycle", "Jetstream", "JetstreamHosting", "MessageBeast", "WireSupport", .logging, .metrics,
        .nioSSL, .serviceLifecycle, .tracing, .unixSignals,
    ] + nio("Core", "Posix") + hummingbird("Core", "HTTP2"),
]

// MARK: The package

let known = Dictionary(uniqueKeysWithValues: Array(sources) + Array(support))

/// The modules among dependencies, and all that these are built on.
func modules(of dependencies: Dependencies) -> Set<String> {
    dependencies.reduce(into: []) { result, dependency in
        guard case .byNameItem(let name, _) = dependency, let below = known[name] else { return }
        result.formUnion(modules(of: below).union([name]))
    }
}

/// Each target that users import is a product.
let libraries = [
    "HeliumKit", "HeliumCore", "HeliumFoundation", "HeliumCrypto", "HeliumCurl", "HeliumJSON", "HeliumLifecycle",
    "HeliumServer", "HeliumTesting", "HeliumServerTesting", "HeliumWebSocket", "Cosm", "AppNet", "MessageBeast",
    "ConAir", "ConAirSQLite", "ConAirPage", "Jetstream", "JetstreamCore", "JetstreamHosting",
]

/// What Tests/Proofs uses of `Tests/Support`.
let proofs = ["CostSupport", "CrashSupport", "FuzzSupport", "JetstreamSoak", "SimulationSupport", "TestSupport"]

let package = Package(
    name: "helium",
    platforms: [.macOS(.v15)],
    products: libraries.map { .library(name: $0, targets: modules(of: [.byName(name: $0)]).sorted()) } + [
        .executable(name: "helium", targets: ["HeliumCLI"]),
        // For the programs of Tests/Proofs only: no API, and no promise of any kind.
        .library(name: "_HeliumProofs", targets: modules(of: proofs.map { .byName(name: $0) }).sorted()),
    ],
    // A package that disables a trait does not fetch what only that trait's targets need. The client, its sockets, Cosm,
    // AppNet, ConAir and JetstreamCore need none of them. In this repository all are on.
    traits: [
        .trait(name: "Server", description: "HeliumServer, HeliumServerTesting, ConAirPage; Hummingbird and GRDB."),
        .trait(name: "Lifecycle", description: "HeliumLifecycle, on swift-service-lifecycle."),
        .trait(name: "MessageBeast", description: "MessageBeast and ConAirSQLite, on GRDB."),
        .trait(name: "CommandLineTool", description: "The tool helium.", enabledTraits: ["MessageBeast", "Server"]),
        .trait(name: "Jetstream", description: "Jetstream with the macro @Model, on swift-syntax."),
        .trait(name: "HTTP2", description: "HTTP/2 for the client, on libnghttp2."),
        .default(enabledTraits: ["Server", "MessageBeast", "CommandLineTool", "Jetstream", "Lifecycle", "HTTP2"]),
    ],
    // Each version is the oldest that is believed to have the API used here. `make test-oldest` proves those that it can
    // fetch, and says which it could not.
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        // Sendable log handlers and metadata.
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Sendable handlers.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        // Instants of a tracer's own, Sendable spans.
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.1.0"),
        // The strict concurrency of the handlers, which was complete by 2.81.
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        // Graceful shutdown in the caller's isolation.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        // The handler of a connection's state is public. Without swift-configuration.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        // Requests of HTTP/1 as swift-http-types; Hummingbird has it too.
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.29.0"),
        // Swift 6.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        // Sendable configurations of commands.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // A first number for each Swift; a range, because other packages with macros ask for theirs.
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: shims + macros + [tool, process]
        + sources.map { .target(name: $0, dependencies: $1) }
        + support.map { .target(name: $0, dependencies: $1, path: "Tests/Support/\($0)") }
        + suites.map { .testTarget(name: $0, dependencies: ["TestSupport"] + $1, path: "Tests/Suites/\($0)") },
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    var settings: [SwiftSetting] = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    if nonsending.contains(target.name) { settings.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault")) }
    if target.name == "JetstreamMainActorTests" { settings.append(.defaultIsolation(MainActor.self)) }
    target.swiftSettings = settings
    // SwiftPM compiles a module again when one that its target names has changed, and a module that only passes another on
    // does not change with it. So each target names all that it is built on.
    let named = target.dependencies.compactMap { dependency -> String? in
        if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    let others = modules(of: target.dependencies).subtracting(named).sorted()
    target.dependencies += others.map { .byName(name: $0) }
}
