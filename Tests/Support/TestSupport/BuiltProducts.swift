package import Foundation

/// The programs that are built beside the tests.
package enum BuiltProducts {
    /// The folder of the programs.
    package static var folder: URL {
        // The test runner is a file in the same folder (Linux), or in a bundle there (macOS).
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    }

    /// Returns the executable of a product.
    package static func executable(_ name: String) -> URL { folder.appendingPathComponent(name) }
}
