import Foundation
import GRDB
import HeliumServer
import Testing

@testable import HeliumCLI

@Suite("helium serve --check", .timeLimit(.minutes(5)))
struct StoreCheckTests {
    @Test("helium serve --check names the rows of a store that cannot be read, and exits with 1")
    func check() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("server.sqlite").path
        var configuration = EmbeddedServerConfiguration()
        configuration.store = path
        _ = try EmbeddedServer(configuration)
        let fine = try await Tool.run(["serve", "--check", path])
        #expect(fine.status == 0 && fine.stdout == "no problems found\n", "\(fine)")
        // The scope file of a server whose root has another class.
        let file = folder.appendingPathComponent("scopes.json").path
        let scopes = #"{"classes":{"Drawing":{"properties":{}}},"scopes":{"Canvas":{"root":"Drawing"}}}"#
        try Data(scopes.utf8).write(to: URL(fileURLWithPath: file))
        let other = try await Tool.run(["serve", "--check", path, "--jetstream-scope", file])
        #expect(
            other.status == 1 && other.stdout.hasPrefix("jetstream: the scope \"Canvas\" is not served"),
            "\(other)"
        )
        let queue = try openDatabase(path)
        try await queue.writeWithoutTransaction {
            try $0.execute(sql: "UPDATE appnet_user SET description = 's3cret' WHERE id = 2")
        }
        try queue.close()
        let broken = try await Tool.run(["serve", "--check", path])
        #expect(broken.status == 1 && broken.stdout == "row 2 of appnet_user cannot be read\n", "\(broken)")
        #expect(!broken.stderr.contains("s3cret"))
        let missing = try await Tool.run(["serve", "--check", path + "-absent"])
        #expect(missing.status != 0 && missing.stderr.contains("unusable store"), "\(missing)")
    }
}
