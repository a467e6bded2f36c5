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

    /// Returns the executable of a macro target; `nil` if it is missing.
    package static func macroExecutable(_ name: String) -> URL? {
        // SwiftPM adds the suffix where it builds for the host and for the target in one folder.
        ["\(name)-tool", name].map(executable).first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
