import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Files of pnut.io", .timeLimit(.minutes(5)))
struct PnutFileTests {
    @Test("a file of pnut.io is created with 201, incomplete, with the address for its content")
    func creation() async throws {
        try await withPnut { alice, _ in
            let created = try await alice.post("files", Self.image)
            #expect(created.status == 201)
            #expect(created["is_complete"] == .bool(false))
            #expect(created["is_public"] == .bool(true))
            #expect(created["upload_parameters", "method"] == "PUT")
            let url = try #require(created["upload_parameters", "url"]?.stringValue)
            let id = try #require(created["id"]?.stringValue)
            #expect(url == "\(alice.root)/v1/files/\(id)/content")
        }
    }

    @Test("a file of pnut.io is complete after PUT of its content as a form")
    func content() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createImage(alice)
            let found = try await bob.get("files/\(id)?include_file_raw=1")
            #expect(found["is_complete"] == .bool(true))
            #expect(found["sha256"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(found["sha1"] == nil)
            #expect(found["url_permanent"] == nil)
            #expect(found["url_short"] != nil)
            #expect(found["raw"] == ["com.example.b": [[:]]])
            #expect(try await alice.follow(found["url"]?.stringValue).text == "abc")
        }
    }

    @Test("a file of pnut.io that PATCH makes private is hidden from other users")
    func privacy() async throws {
        try await withPnut { alice, bob in
            let id = try await Self.createImage(alice)
            let changed = try await alice.send("PATCH", "files/\(id)", json: ["is_public": .bool(false), "name": "n"])
            #expect(changed["is_public"] == .bool(false))
            let token = try #require(changed["file_token"]?.stringValue)
            #expect(try await bob.get("files/\(id)?file_token_read=\(token)").status == 404)
        }
    }

    @Test("files of pnut.io are deleted many at a time, by an operation that only their owner sees")
    func deletion() async throws {
        try await withPnut { alice, bob in
            let first = try await Self.createImage(alice)
            let whole = try await alice.multipart(
                "POST",
                "files",
                [
                    FormPart("metadata", #"{"type":"a.b","is_public":true}"#, type: "application/json"),
                    FormPart("content", "x", file: "x.txt", type: "text/plain"),
                ]
            )
            #expect(whole.status == 201)
            #expect(whole["is_public"] == .bool(true))
            let second = try #require(whole["id"]?.stringValue)
            let removed = try await alice.delete("files?ids=\(first),\(second),99")
            #expect(removed.status == 202)
            #expect(removed.json?["data"] == nil)
            let status = try #require(removed.meta?["status_url"]?.stringValue)
            #expect(status.hasPrefix("\(alice.root)/v1/sys/ops/"))
            let operation = try await alice.get(String(status.dropFirst("\(alice.root)/v1/".count)))
            #expect(operation["is_complete"] == .bool(true))
            #expect(operation["total"] == .integer(2))
            #expect(try await bob.get(String(status.dropFirst("\(alice.root)/v1/".count))).status == 404)
            #expect(try await alice.get("users/me/files").ids == [])
        }
    }

    @Test("files of pnut.io have the kind of their media type, and are changed by PATCH alone")
    func fileKinds() async throws {
        try await withPnut { alice, _ in
            for (type, kind) in [("audio/mpeg", "audio"), ("video/mp4", "video"), ("text/plain", "other")] {
                let parts = [FormPart("type", "a.b"), FormPart("content", "x", file: "x", type: type)]
                let made = try await alice.multipart("POST", "files", parts)
                #expect(made.status == 201 && made["kind"] == .string(kind), "\(made.text)")
                let id = try #require(made["id"]?.stringValue)
                #expect(try await alice.send("PUT", "files/\(id)", json: ["name": "n"]).status == 405)
                #expect(try await alice.send("PATCH", "files/\(id)", json: ["name": "n"]).status == 200)
            }
        }
    }

    private static let image: TestJSON = [
        "type": "com.example.a", "kind": "image", "is_public": .bool(true), "raw": ["com.example.b": [[:]]],
    ]

    /// Creates a public file with the content `abc`, and returns its id.
    private static func createImage(_ visitor: AppNetVisitor) async throws -> String {
        let created = try await visitor.post("files", image)
        let id = try #require(created["id"]?.stringValue, "\(created.text)")
        let content = FormPart("content", "abc", file: "a.txt", type: "text/plain")
        #expect(try await visitor.multipart("PUT", "files/\(id)/content", [content]).status == 204)
        return id
    }
}
