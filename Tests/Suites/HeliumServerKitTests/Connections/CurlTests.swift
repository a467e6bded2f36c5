import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import HeliumServerKit

@Suite("curl as a client of the server", .timeLimit(.minutes(5)), .enabled(if: Curl.isThere))
struct CurlTests {
    @Test("curl registers a device over HTTP/2 with prior knowledge")
    func priorKnowledge() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesPriorKnowledgeHTTP2 = true
        try await withEmbeddedServer(configuration) { running in
            let devices = running.ready.middleware.devices.absoluteString
            let tool = Tool(
                "/usr/bin/curl",
                [
                    "--silent", "--noproxy", "*", "--http2-prior-knowledge", "--write-out", " %{http_version}",
                    "--header", "Content-Type: application/json", "--data", #"{"culture":{"code":"de-DE"}}"#, devices,
                ]
            )
            let output = String(decoding: try await tool.exchange([], endsInput: true) { _ in false }, as: UTF8.self)
            #expect(output.wholeMatch(of: /\{"status":200,"response":\{"id":"[0-9a-f]{32}"\}\} 2/) != nil, "\(output)")
            #expect(try await running.middleware.deviceCount() == 1)
        }
    }
}

/// The machine's curl, where there is one: an HTTP/2 client with flow control and compression of fields.
enum Curl {
    static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")
}
