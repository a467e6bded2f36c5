import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import Testing

@testable import HeliumTesting

@Suite("Transfers of App.net's files", .timeLimit(.minutes(5)))
struct FileTransferTests {
    private static let away = "https://files.example.com/3?signature=x"

    @Test("content is fetched from the address of the redirect, without the token")
    func content() async throws {
        let transport = MockTransport { request in
            request.url.target.hasPrefix("/stream/0/")
                ? .empty(status: 302, fields: [.location: Self.away]) : .data(Data("hello".utf8))
        }
        let client = try makeClient(transport, baseURL: URL(string: "https://adn.test/stream/0/"))
        #expect(try await client.files.content(of: 3, token: "opaque") == Data("hello".utf8))
        #expect(transport.requests.map { $0.fields[.authorization] } == ["Bearer secret-token-1234", nil])
        #expect(transport.requests[0].url.target == "/stream/0/files/3/content?file_token=opaque")
        #expect(transport.requests[1].url.target == "/3?signature=x")
        #expect(try await client.files.contentURL(of: 3).absoluteString == Self.away)
        #expect(try await client.users.avatarURL(of: .me, width: 40).absoluteString == Self.away)
        #expect(transport.requests.count == 4)
    }

    @Test("content is downloaded to a file in one call")
    func download() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bin").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let transport = MockTransport { request in
            request.url.target.hasPrefix("/stream/0/")
                ? .empty(status: 302, fields: [.location: Self.away]) : .streaming(["hel", "lo"])
        }
        let client = try makeClient(transport, baseURL: URL(string: "https://adn.test/stream/0/"))
        let download = try await client.files.download(3, derived: "small", toPath: path)
        #expect(download.bytes == 5)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("hello".utf8))
        #expect(transport.requests.first?.url.target == "/stream/0/files/3/content/small")
    }

    @Test("an incomplete file has no content, and its download makes no file")
    func incomplete() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bin").path
        let client = try makeClient(MockTransport(answers: [.empty()]))
        for call in [
            { _ = try await client.files.content(of: 3) }, { try await client.files.download(3, toPath: path) },
            { _ = try await client.files.contentURL(of: 3) },
        ] as [@Sendable () async throws -> Void] {
            let error = try #require(await AppNetError.thrown { try await call() })
            #expect(error.kind == .incompleteFile, "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("content at an address is fetched without the token on any host")
    func address() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bin").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let transport = MockTransport(answers: [.data(Data("hello".utf8))])
        let client = try makeClient(transport, dialect: .pnut)
        let address = WebAddress("https://files.example.com:8443/a%20b/3?signature=x%2By#part")
        #expect(try await client.files.content(at: address) == Data("hello".utf8))
        #expect(try await client.files.download(from: address, toPath: path).bytes == 5)
        for request in transport.requests {
            #expect(request.fields[.authorization] == nil)
            #expect(request.url.origin.description == "https://files.example.com:8443")
            #expect(request.url.target == "/a%20b/3?signature=x%2By")
        }
        #expect(transport.requests.count == 2)
        for bad: WebAddress in ["", "/relative", "file:///etc/hosts", "ftp://example.com/x"] {
            let error = try #require(await AppNetError.thrown { _ = try await client.files.content(at: bad) })
            #expect(!error.hasReachedServer, "\(bad)")
        }
        #expect(transport.requests.count == 2)
        let gone = try makeClient(MockTransport(answers: [.empty(status: 404)]))
        let error = try #require(await AppNetError.thrown { _ = try await gone.files.content(at: address) })
        #expect(error.kind == .notFound && !"\(error)".contains("signature=x"))
    }

    @Test("a redirect without a valid address is an error")
    func nowhere() async throws {
        let client = try makeClient(MockTransport(answers: [.empty(status: 302)]))
        let error = try #require(await AppNetError.thrown { _ = try await client.files.contentURL(of: 3) })
        #expect(error.kind == .undecodable)
    }

    private func big(_ url: String) throws -> (AppNetClient, FileContent) {
        var configuration = AppNetConfiguration(token: "secret-token-1234", baseURL: URL(string: url + "/stream/0/"))
        configuration.options.retry.baseDelay = .zero
        let content = FileContent.data(Data(repeating: 65, count: 8 << 20), name: "big.bin")
        return (try AppNetClient(configuration: configuration), content)
    }

    /// The head of the request arrives, and then the connection is torn down.
    private static let tornDown = FaultServer.Fault("tornDown", readsBody: false) { _ in [.reset] }

    @Test("an upload that is cut may have been received, and is not retried")
    func cut() async throws {
        try await FaultServer.run(faults: [Self.tornDown, .answer(body: "{}")]) { server in
            let (client, content) = try big(server.url)
            let error = try #require(
                await AppNetError.thrown { _ = try await client.files.create(File(type: "a.b"), content: content) }
            )
            #expect(error.kind == .failed && error.hasReachedServer && error.status == nil, "\(error)")
            #expect(server.connectionCount == 1 && server.requestCount == 1)
            await client.close()
        }
    }

    @Test("setting content is retried after a cut")
    func cutAgain() async throws {
        try await FaultServer.run(faults: [Self.tornDown]) { server in
            let (client, content) = try big(server.url)
            let error = try #require(await AppNetError.thrown { try await client.files.setContent(of: 3, to: content) })
            #expect(error.kind == .failed && server.connectionCount == 3)
            await client.close()
        }
        let lost = FaultServer.Fault.custom("lost", [.reset])
        try await FaultServer.run(faults: [lost, .answer(204)]) { server in
            let (client, content) = try big(server.url)
            try await client.files.setContent(of: 3, to: content)
            #expect(server.requests.map(\.body.count) == [8 << 20, 8 << 20])
            await client.close()
        }
    }

    @Test("an error response before the body was read is the error of the upload")
    func refusedEarly() async throws {
        try await FaultServer.run(faults: [.answerBeforeBody(507)]) { server in
            let (client, content) = try big(server.url)
            let error = try #require(
                await AppNetError.thrown { _ = try await client.files.create(File(type: "a.b"), content: content) }
            )
            #expect(error.kind == .quotaExceeded, "\(error)")
            await client.close()
        }
    }

    @Test("a cancelled upload ends")
    func cancelled() async throws {
        try await FaultServer.run(faults: [.stallBeforeHeaders]) { server in
            let (client, content) = try big(server.url)
            let task = Task { try await client.files.create(File(type: "a.b"), content: content) }
            #expect(await server.wait { $0.requestCount == 1 })
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            await client.close()
        }
    }
}
