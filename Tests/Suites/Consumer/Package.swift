// swift-tools-version: 6.2
import PackageDescription

// What a user of the package sees of it: its products, nothing of its inside, and no more of its dependencies than the
// products need. Stricter settings than most users have, so that what compiles here compiles for them.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    // Without any trait: `make test` fails if more is fetched than the client needs.
    dependencies: [.package(name: "helium", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                .product(name: "AppNet", package: "helium"),
                .product(name: "Cosm", package: "helium"),
                .product(name: "HeliumFoundation", package: "helium"),
                .product(name: "HeliumKit", package: "helium"),
                .product(name: "HeliumTesting", package: "helium"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
