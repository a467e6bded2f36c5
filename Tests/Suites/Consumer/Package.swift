// swift-tools-version: 6.2
import PackageDescription

// What a user of the package sees of it: its products, nothing of its inside, and no more of its dependencies than the
// products need. Stricter settings than most users have, so that what compiles here compiles for them.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

extension Target {
    static func program(_ name: String, _ products: String...) -> Target {
        executableTarget(
            name: name,
            dependencies: products.map { .product(name: $0, package: "helium") },
            swiftSettings: settings
        )
    }
}

let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    // Without any trait: `make test` fails if more is fetched than the client needs.
    dependencies: [.package(name: "helium", path: "../../..", traits: [])],
    targets: [
        // Runs the samples of the documentation.
        .program("Consumer", "AppNet", "Cosm", "HeliumFoundation", "HeliumKit", "HeliumTesting"),
        // Do nothing of use. What is linked into them is what a user of these products links.
        .program("CosmProgram", "Cosm", "HeliumKit"),
        .program("AppNetProgram", "AppNet"),
        .program("ConAirProgram", "ConAir"),
        .program("JetstreamCoreProgram", "JetstreamCore"),
    ],
    swiftLanguageModes: [.v6]
)
