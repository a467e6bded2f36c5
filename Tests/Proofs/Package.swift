// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that neither `make test` nor users build the programs of `make prove`.
//
// The programs use what the suites use (`package` access), with `@testable`. So a release build needs `-enable-testing`, as the
// scripts have it.

extension Target {
    /// A program in `Sources`.
    static func program(_ name: String, _ helium: [String], _ others: [Dependency] = [], exclude: [String] = [])
        -> Target
    {
        let products = helium.map { Dependency.product(name: $0, package: "helium") }
        return executableTarget(name: name, dependencies: products + others, exclude: exclude)
    }
}

let package = Package(
    name: "helium-proofs",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "helium", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        .program("FuzzRunner", ["_HeliumProofs"]),
        .program("CostRunner", ["_HeliumProofs"]),
        .program("SimulationRunner", ["_HeliumProofs"]),
        .program("CrashRunner", ["_HeliumProofs"]),
        .program(
            "SoakRunner",
            [
                "_HeliumProofs", "Cosm", "HeliumKit", "HeliumServer", "HeliumServerTesting", "HeliumTesting",
                "HeliumWebSocket",
            ]
        ),
        // The Python programs are for Scripts/interop.sh.
        .program(
            "InteropRunner",
            ["HeliumKit", "HeliumWebSocket"],
            [.product(name: "HTTPTypes", package: "swift-http-types")],
            exclude: ["adnpy", "pnutpy"]
        ),
        // Scripts/http.sh starts them and the programs in `peers`. The HTTP of libcurl is a reference, in a target of its own.
        .target(name: "CReferenceCurl", linkerSettings: [.linkedLibrary("curl")]),
        .program(
            "HTTPRunner",
            ["_HeliumProofs", "HeliumCore", "HeliumCrypto", "HeliumCurl"],
            [.product(name: "HTTPTypes", package: "swift-http-types"), "CReferenceCurl"],
            exclude: ["peers"]
        ),
        .program(
            "EchoServer",
            ["_HeliumProofs", "HeliumCrypto", "HeliumServer"],
            [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"), .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // Scripts/browser.sh starts the browser.
        .program(
            "BrowserRunner",
            ["_HeliumProofs", "ConAir", "ConAirPage", "HeliumJSON", "HeliumKit", "HeliumServer"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
