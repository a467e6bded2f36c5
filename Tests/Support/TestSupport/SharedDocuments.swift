package import Foundation

/// Sample documents of tests: those of the package in `Fixtures`, and the real services' documents beside the package,
/// where the machine has them: in `HELIUM_SHARED`, else `../shared`.
package enum SharedDocuments {
    /// A document of a folder.
    package struct Document: Sendable, CustomStringConvertible {
        /// Its name in the folder.
        package let name: String

        /// The location of the document.
        package let url: URL

        /// The contents of the document.
        package let contents: Data

        package var description: String { name }
    }

    /// The package's folder: the first above this file that has both the sources and the fixtures. Only the root package has.
    package static let package: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        repeat {
            folder.deleteLastPathComponent()
        } while folder.path != "/" && !has(["Sources", "Fixtures"], in: folder)
        return folder
    }()

    private static func has(_ names: [String], in folder: URL) -> Bool {
        names.allSatisfy { FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path) }
    }

    private static let folder =
        ProcessInfo.processInfo.environment["HELIUM_SHARED"].map { URL(fileURLWithPath: $0) }
        ?? package.deletingLastPathComponent().appendingPathComponent("shared")

    /// The documents of a folder below `data`, such as `cosm/json`, by name; none where the machine doesn't have them.
    package static func data(_ path: String) -> [Document] {
        documents(in: folder.appendingPathComponent("data").appendingPathComponent(path))
    }

    /// The documents of a folder below the package's `Fixtures`, by name.
    package static func fixtures(_ path: String) -> [Document] {
        documents(in: package.appendingPathComponent("Fixtures").appendingPathComponent(path))
    }

    /// The documents of a folder below the package's `Fixtures`, and of the folder of the same name below `data`.
    package static func all(_ path: String) -> [Document] { fixtures(path) + data(path) }

    private static func documents(in folder: URL) -> [Document] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let url = folder.appendingPathComponent(name)
            return (try? Data(contentsOf: url)).map { Document(name: name, url: url, contents: $0) }
        }
    }
}
