import Foundation
import TestSupport
import Testing

/// The suites of JetstreamCoreTests, linked into `CoreSuites` so that they run on models of the macro too.
@Suite("Suites of the core on models of the macro", .timeLimit(.minutes(5)))
struct CoreSuitesTests {
    @Test("each suite of the core that macro models share is linked")
    func linked() throws {
        let tests = SharedDocuments.package.appendingPathComponent("Tests/Suites")
        let core = tests.appendingPathComponent("JetstreamCoreTests")
        let folders = ["Models", "Observation", "Scopes", "Trees", "Values", "Changes"]
        let suites = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: core.appendingPathComponent(folder).path)
        }
        let linked = try FileManager.default.contentsOfDirectory(atPath: tests.path + "/JetstreamTests/CoreSuites")
        #expect(
            suites.filter { $0.hasSuffix("Tests.swift") }.sorted()
                == linked.filter { $0 != "OriginalTrait.swift" }.sorted()
        )
    }
}
