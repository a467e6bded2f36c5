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
