import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Testing

/// The README's sample of `withEmbeddedServer`: the one that needs a test target, so the consumer package can't hold it.
@Suite("The README's sample of the embedded server", .timeLimit(.minutes(5)))
struct DocumentedSampleTests {
    @Test("works")
    func sample() async throws {
        // README sample
        try await withEmbeddedServer { server in
            let middleware = server.ready.middleware
            let configuration = HeliumConfiguration(
                secret: middleware.secret,
                secretID: middleware.secretID,
                baseURL: middleware.base,
                device: DeviceConfiguration(url: middleware.devices, info: DeviceInfo(culture: "en-GB"))
            )
            try await withHelium(configuration) { helium in
                server.faults.inject(.keyExpired, .path("/demo-auth/v1/todo", next: 1))
                let response = try await helium.get("/todo", returning: [Todo].self).response()
                #expect(response.attempts.map(\.retryReason) == [.clockCorrected, nil])
            }
        }
        // end of sample
    }

    @Test("stands in the README as it is compiled here")
    func text() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(contentsOf: here, encoding: .utf8)
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let start = try #require(source.range(of: "        // README sample\n"))
        let end = try #require(source.range(of: "        // end of sample\n"))
        let lines = source[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        let sample = lines.map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }.joined(separator: "\n")
        #expect(sample.count > 100 && readme.contains(sample))
    }
}
