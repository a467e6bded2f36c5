import Foundation
import TestSupport

/// Files that tests read.
enum TestFiles {
    private static let root = SharedDocuments.package

    /// The cases of nst/JSONTestSuite, by name, where the machine has them: `HELIUM_SHARED`, else `../shared`.
    static let originalSuite: [(name: String, bytes: [UInt8])] = {
        let shared =
            ProcessInfo.processInfo.environment["HELIUM_SHARED"].map { URL(fileURLWithPath: $0) }
            ?? root.deletingLastPathComponent().appendingPathComponent("shared")
        return files(in: shared.appendingPathComponent("data/json"))
    }()

    /// The cases of `Fixtures/json-cases`, and those of the original suite. The names tell whether a case is accepted.
    static let suite = files(in: root.appendingPathComponent("Fixtures/json-cases")) + originalSuite

    /// Documents of our own, by name.
    static let documents = files(in: root.appendingPathComponent("Fixtures/json"))

    private static func files(in folder: URL) -> [(name: String, bytes: [UInt8])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, [UInt8]($0)) }
        }
    }
}
