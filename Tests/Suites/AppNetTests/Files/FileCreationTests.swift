import AppNet
import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

@Suite("Creating files with the client of App.net", .timeLimit(.minutes(5)))
struct FileCreationTests {
    private static let content = FileContent.data(Data("hello".utf8), name: "a \"b\".txt")

    private func client(_ dialect: AppNetDialect = .appNet) throws -> (AppNetClient, MockTransport) {
        let transport = MockTransport(answers: [answer(#"{"id":"3","file_token":"opaque"}"#)])
        return (try makeClient(transport, dialect: dialect), transport)
    }

    private func form(_ transport: MockTransport) async throws -> MultipartText {
        let request = try #require(transport.requests.first)
        return try await MultipartText(request)
    }

    @Test("a file without content is created by JSON, with its annotations")
    func json() async throws {
        let (client, transport) = try client()
        let mood = Annotation(type: "com.example.mood", value: ["level": 2])
        let file = File(id: 9, type: "a.b", kind: .other, name: "x", annotations: [mood])
        let made = try await client.files.create(file)
        #expect(made.id == 3 && made.fileToken?.value == "opaque")
        let sent = try JSONValue(parsing: transport.requests.first?.body ?? Data())
        let expected: JSONValue = [
            "type": "a.b", "kind": "other", "name": "x",
            "annotations": [["type": "com.example.mood", "value": ["level": 2]]],
        ]
        #expect(sent == expected)
    }

    @Test("a file without content and annotations is created by a form")
    func form() async throws {
        let (client, transport) = try client()
        let file = File(type: "a.b", kind: .image, isPublic: true, name: "x y")
        _ = try await client.files.create(file, as: .form)
        let request = try #require(transport.requests.first)
        #expect(request.fields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.bodyText == "kind=image&name=x%20y&public=1&type=a.b")
        let annotated = File(type: "a.b", annotations: [Annotation(type: "c.d", value: .object([:]))])
        let error = try #require(await AppNetError.thrown { _ = try await client.files.create(annotated, as: .form) })
        #expect(error.kind == .invalidRequest && transport.requests.count == 1)
    }

    @Test("a file with content is created by a form with parts, and derived files under their keys")
    func parts() async throws {
        let (client, transport) = try client()
        let small = FileContent.data(Data("small".utf8), name: "s.png")
        let file = File(type: "a.b", isPublic: false, name: "x")
        _ = try await client.files.create(file, content: Self.content, derived: ["small": small])
        let form = try await self.form(transport)
        // Members come before the files, in any order.
        #expect(form.parts.prefix(3).map(\.name).sorted() == ["name", "public", "type"])
        #expect(form.parts.dropFirst(3).map(\.name) == ["content", "small"])
        #expect(form["type"]?.body.hasPrefix("a.b") == true && form["public"]?.body.hasPrefix("0") == true)
        #expect(form["content"]?.fileName == "a %22b%22.txt" && form["content"]?.field("Content-Type") == "text/plain")
        #expect(form["content"]?.body.hasPrefix("hello") == true)
        #expect(form["small"]?.fileName == "s.png" && form["small"]?.field("Content-Type") == "image/png")
    }

    @Test("a file with annotations and content is created with a part of JSON")
    func metadata() async throws {
        let (client, transport) = try client()
        let mood = Annotation(type: "c.d", value: ["x": 1])
        _ = try await client.files.create(File(type: "a.b", annotations: [mood]), content: Self.content)
        _ = try await client.files.create(File(type: "a.b"), content: Self.content, as: .json)
        let form = try await self.form(transport)
        #expect(form.parts.map(\.name) == ["metadata", "content"])
        #expect(form["metadata"]?.fileName == "metadata.json")
        #expect(form["metadata"]?.field("Content-Type") == "application/json")
        let text = form["metadata"]?.body.trimmingCharacters(in: .newlines) ?? ""
        #expect(try JSONValue(parsing: text)["annotations", 0, "type"] == "c.d")
        #expect(try await MultipartText(transport.requests[1]).parts.map(\.name) == ["metadata", "content"])
    }

    @Test("content in Base64 is the same for any size of the chunks", arguments: [0, 1, 2, 3, 100, 200_000, 200_001])
    func base64(size: Int) async throws {
        let (client, transport) = try client()
        let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let content = FileContent.data(bytes, name: "x.bin").inBase64
        _ = try await client.files.create(File(type: "a.b"), content: content)
        let request = try #require(transport.requests.first)
        let form = try await MultipartText(request)
        let part = try #require(form["content"])
        #expect(part.field("Content-Transfer-Encoding") == "base64")
        #expect(Data(base64Encoded: part.body.trimmingCharacters(in: .newlines)) == bytes)
        var length: Int64 = 0
        let source = try await request.upload?.open()
        while let chunk = try await source?.next() { length += Int64(chunk.count) }
        #expect(request.upload?.length == length, "the announced length is the body's")
    }

    @Test("a file on disk is read while it is sent, and a missing one sends nothing")
    func disk() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png").path
        try Data("picture".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for content in [FileContent.file(atPath: path, name: "p.png"), .file(atPath: path, name: "p.png").inBase64] {
            let (client, transport) = try client()
            _ = try await client.files.create(File(type: "a.b"), content: content)
            let form = try await self.form(transport)
            let part = try #require(form["content"])
            #expect(part.fileName == "p.png" && part.field("Content-Type") == "image/png")
            let body = part.body.trimmingCharacters(in: .newlines)
            #expect(body == (content.isBase64 ? Data("picture".utf8).base64EncodedString() : "picture"))
        }
        #expect(FileContent.file(atPath: "/a/b.png").name == "b.png")
    }

    @Test("invalid keys of derived files, and too many of them, are refused")
    func keys() async throws {
        let (client, transport) = try client()
        let many = Dictionary(uniqueKeysWithValues: (0..<33).map { ("k\($0)", Self.content) })
        for derived in [["": Self.content], ["a-b": Self.content], ["content": Self.content], many] {
            let error = try #require(
                await AppNetError.thrown {
                    _ = try await client.files.create(File(type: "a.b"), content: Self.content, derived: derived)
                }
            )
            #expect(error.kind == .invalidRequest)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("the content of an incomplete file is sent as it is to App.net and as a form to pnut.io")
    func setContent() async throws {
        let transport = MockTransport(answers: [.empty()])
        let client = try makeClient(transport)
        try await client.files.setContent(of: 3, to: Self.content, token: "opaque")
        try await client.files.setContent(of: 3, derived: "small", to: .data(Data([1]), name: "s.png"))
        let requests = transport.requests
        #expect(
            requests.map(\.url.target) == [
                "/stream/0/files/3/content?file_token=opaque", "/stream/0/files/3/content/small",
            ]
        )
        #expect(requests[0].bodyText == "hello" && requests[0].fields[.contentType] == "text/plain")
        #expect(requests[0].fields[.named("X-ADN-Filename")] == "a \"b\".txt")
        #expect(requests[1].fields[.contentType] == "image/png")

        let other = MockTransport(answers: [.empty()])
        let pnut = try makeClient(other, dialect: .pnut)
        try await pnut.files.setContent(of: 3, to: Self.content)
        try await pnut.files.setContent(of: 3, derived: "small", to: Self.content)
        #expect(try await MultipartText(other.requests[0]).parts.map(\.name) == ["content"])
        #expect(try await MultipartText(other.requests[1]).parts.map(\.name) == ["content"])
    }

    @Test("a file with content is created on pnut.io by a form with its names")
    func pnut() async throws {
        let (client, transport) = try client(.pnut)
        _ = try await client.files.create(File(type: "a.b", isPublic: true), content: Self.content)
        let form = try await self.form(transport)
        #expect(form.parts.prefix(2).map(\.name).sorted() == ["is_public", "type"])
        #expect(form.parts.dropFirst(2).map(\.name) == ["content"])
        let error = try #require(
            await AppNetError.thrown {
                _ = try await client.files.create(File(type: "a.b"), content: Self.content, as: .json)
            }
        )
        #expect(error.kind == .invalidRequest)
    }

    @Test("the progress of an upload goes from nothing to all bytes")
    func progress() async throws {
        let transport = MockTransport { request in
            guard let source = try? await request.upload?.open() else { return .empty(status: 500) }
            while let chunk = try? await source.next(), !chunk.isEmpty {}
            return answer("{}")
        }
        let client = try makeClient(transport)
        let told = Mutex<[TransferProgress]>([])
        let content = FileContent.data(Data(repeating: 1, count: 300_000), name: "x.bin")
        _ = try await client.files.create(File(type: "a.b"), content: content) { progress in
            told.withLock { $0.append(progress) }
        }
        let all = told.withLock { $0 }
        let total = try #require(transport.requests.first?.upload?.length)
        #expect(all.first?.completed == 0 && all.last?.completed == total && all.last?.total == total)
        #expect(total > 300_000)
    }
}
