// swift-tools-version: 6.2
import PackageDescription

// A package of its own, which sees of Helium what every user sees.
let package = Package(
    name: "helium-examples",
    platforms: [.macOS(.v15)],
    // A package elsewhere names the repository and a version: see "Install" in the README.
    dependencies: [.package(name: "helium", path: "..")],
    targets: [
        .executableTarget(name: "ServiceClient", dependencies: [.kit, .testing], path: "ServiceClient"),
        .executableTarget(name: "SignedDevice", dependencies: [.kit, .server, .serverTesting], path: "SignedDevice"),
        .executableTarget(
            name: "CosmLogger",
            dependencies: [.product(name: "Cosm", package: "helium"), .server, .serverTesting, .testing],
            path: "CosmLogger"
        ),
        .executableTarget(
            name: "AppNetBot",
            dependencies: [.product(name: "AppNet", package: "helium"), .server, .serverTesting],
            path: "AppNetBot"
        ),
        .executableTarget(name: "SmallClient", dependencies: [.kit], path: "SmallClient"),
        .testTarget(name: "PriceWatchTests", dependencies: [.kit, .testing], path: "PriceWatchTests"),
        // What a program on HeliumKit links, and what it does not.
        .testTarget(
            name: "SmallClientTests",
            dependencies: ["SmallClient", .server, .serverTesting],
            path: "SmallClientTests"
        ),
    ],
    swiftLanguageModes: [.v6]
)

extension Target.Dependency {
    static var kit: Self { .product(name: "HeliumKit", package: "helium") }
    static var testing: Self { .product(name: "HeliumTesting", package: "helium") }
    static var server: Self { .product(name: "HeliumServer", package: "helium") }
    static var serverTesting: Self { .product(name: "HeliumServerTesting", package: "helium") }
}
