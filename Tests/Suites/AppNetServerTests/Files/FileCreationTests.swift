import HeliumCrypto
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Creating files of App.net", .timeLimit(.minutes(5)))
struct FileCreationTests {
    @Test("a file created by JSON is incomplete, and its creator sees its token")
    func json() async throws {
        try await withVisitors { alice, _ async throws in
            let created = try await alice.post(
                "files",
                ["type": "com.example.note", "name": "note.txt", "kind": "other", "public": "false", "id": .integer(7)]
            )
            #expect(created.status == 200)
            #expect(created["complete"] == .bool(false))
            #expect(created["public"] == .bool(false))
            #expect(created["name"] == "note.txt")
            #expect(created["kind"] == "other")
            #expect(created["type"] == "com.example.note")
            #expect(created["file_token"]?.stringValue?.isEmpty == false)
            #expect(created["user", "username"] == "alice")
            #expect(created["source", "client_id"] == "helium")
            for name in ["url", "sha1", "size", "mime_type", "file_token_read"] { #expect(created[name] == nil) }
        }
    }

    @Test("a file created by a form without content is incomplete, URL-encoded or in parts")
    func forms() async throws {
        try await withVisitors { alice, _ async throws in
            let encoded = try await alice.send(
                "POST",
                "files",
                "application/x-www-form-urlencoded",
                Array("type=com.example.photo&public=1".utf8)
            )
            #expect(encoded.status == 200)
            #expect(encoded["complete"] == .bool(false))
            #expect(encoded["public"] == .bool(true))
            let parts = try await alice.multipart("POST", "files", [FormPart("type", "com.example.photo")])
            #expect(parts.status == 200)
            #expect(parts["complete"] == .bool(false))
        }
    }

    @Test("a file with a part content is complete, with its size, digest and pixels")
    func content() async throws {
        try await withVisitors { alice, _ in
            let image = SampleImages.png(width: 640, height: 480)
            let created = try await alice.multipart("POST", "files", Self.photo(image))
            #expect(created.status == 200)
            #expect(created["complete"] == .bool(true))
            #expect(created["kind"] == "image")
            #expect(created["name"] == "a b.png")
            #expect(created["mime_type"] == "image/png")
            #expect(created["size"] == .count(image.count))
            #expect(created["total_size"] == .count(image.count))
            #expect(created["sha1"] == .string(SHA1.hex(of: image)))
            #expect(created["image_info"] == ["width": .integer(640), "height": .integer(480)])
            #expect(created["url_permanent"] == nil)
        }
    }

    @Test("the content of a file is where the redirect of files/{id}/content leads")
    func contentRedirect() async throws {
        try await withVisitors { alice, _ in
            let image = SampleImages.png(width: 640, height: 480)
            let created = try await alice.multipart("POST", "files", Self.photo(image))
            let id = try #require(created["id"]?.stringValue)
            let found = try await alice.get("files/\(id)/content")
            #expect(found.status == 302)
            #expect(found.location == created["url"]?.stringValue)
            let fetched = try await alice.follow(found.location)
            #expect(fetched.status == 200)
            #expect(fetched.raw["content-type"] == "image/png")
            #expect(fetched.raw.body == image)
        }
    }

    private static func photo(_ image: [UInt8]) -> [FormPart] {
        [FormPart("type", "com.example.photo"), FormPart("content", image, file: "a b.png", type: "image/png")]
    }

    /// Creates a file of JSON metadata, Base64 content and two derived files in one request.
    private static func createDocument(_ visitor: AppNetVisitor, thumbnail: [UInt8]) async throws -> VisitorAnswer {
        try await visitor.multipart(
            "POST",
            "files",
            [
                FormPart(
                    "metadata",
                    #"{"type":"com.example.doc","name":"plan.txt","annotations":[{"type":"com.example.a","value":{"b":1}}]}"#,
                    file: "metadata.json",
                    type: "application/json; charset=utf-8"
                ),
                FormPart("content", Array("aGVsbG8=".utf8), file: "x", type: "text/plain", encoding: "base64"),
                FormPart("image_thumb_200s", thumbnail, file: "", type: "image/png"),
                FormPart("draft_2", "old", file: "draft.txt", type: "text/plain"),
            ]
        )
    }

    @Test("a file's JSON metadata, Base64 content and derived files are created in one request")
    func metadata() async throws {
        try await withVisitors { alice, _ in
            let thumbnail = SampleImages.png(width: 200, height: 200)
            let created = try await Self.createDocument(alice, thumbnail: thumbnail)
            #expect(created.status == 200)
            #expect(created["complete"] == .bool(true))
            #expect(created["name"] == "plan.txt")
            #expect(created["kind"] == "other")
            #expect(created["size"] == .integer(5))
            #expect(created["total_size"] == .count(5 + thumbnail.count + 3))
            let id = try #require(created["id"]?.stringValue)
            let annotated = try await alice.get("files/\(id)?include_file_annotations=1")
            #expect(annotated["annotations"] == [["type": "com.example.a", "value": ["b": .integer(1)]]])
            #expect(try await alice.get("files/\(id)")["annotations"] == nil)
        }
    }

    @Test("a derived file has a name, a size in pixels if it is an image, and content of its own")
    func derivedFiles() async throws {
        try await withVisitors { alice, _ in
            let thumbnail = SampleImages.png(width: 200, height: 200)
            let created = try await Self.createDocument(alice, thumbnail: thumbnail)
            #expect(created["derived_files", "image_thumb_200s", "name"] == "plan_image_thumb_200s.png")
            #expect(created["derived_files", "image_thumb_200s", "image_info", "width"] == .integer(200))
            #expect(created["derived_files", "draft_2", "name"] == "draft.txt")
            let id = try #require(created["id"]?.stringValue)
            let derived = try await alice.get("files/\(id)/content/draft_2")
            #expect(derived.status == 302)
            #expect(try await alice.follow(derived.location).text == "old")
            #expect(try await alice.get("files/\(id)/content/none").status == 404)
        }
    }

    /// Creates an incomplete file, and returns its path.
    private static func createIncomplete(_ visitor: AppNetVisitor) async throws -> String {
        let created = try await visitor.post("files", ["type": "com.example.photo", "public": .bool(true)])
        return "files/\(try #require(created["id"]?.stringValue, "\(created.text)"))"
    }

    @Test("an incomplete file has no content, and takes derived files by PUT and by POST of a form")
    func incomplete() async throws {
        try await withVisitors { alice, _ in
            let path = try await Self.createIncomplete(alice)
            #expect(try await alice.get("\(path)/content").status == 204)
            #expect(try await alice.send("PUT", "\(path)/content/small", "text/plain", Array("s".utf8)).status == 204)
            let middle = FormPart("content", "mm", file: "m.txt", type: "text/plain")
            let posted = try await alice.multipart("POST", "\(path)/content/middle", [middle])
            #expect(posted.status == 200)
            #expect(posted["complete"] == .bool(false))
            #expect(posted["derived_files"] == nil)
            let large = FormPart("content", "lll", file: "l.txt", type: "text/plain")
            #expect(try await alice.multipart("POST", "\(path)/large", [large]).status == 200)
            // JSON is content like any other, and not a document of the call.
            let null = Array(#""\u0000""#.utf8)
            #expect(try await alice.send("PUT", "\(path)/content/null", "application/json", null).status == 204)
        }
    }

    @Test("an incomplete file refuses POST of its content, a second derived file of a key, and a name with U+0000")
    func refusedContent() async throws {
        try await withVisitors { alice, _ in
            let path = try await Self.createIncomplete(alice)
            let own = FormPart("content", "x", file: "x.txt", type: "text/plain")
            let refused = try await alice.multipart("POST", "\(path)/content", [own])
            #expect(refused.status == 405 && refused.raw["allow"] == "GET,PUT")
            #expect(try await alice.send("PUT", "\(path)/content/small", "text/plain", Array("s".utf8)).status == 204)
            #expect(try await alice.send("PUT", "\(path)/content/small", "text/plain", [1]).status == 400)
            let named = FormPart("content", "x", file: "a\u{0}b", type: "text/plain")
            #expect(try await alice.multipart("PUT", "\(path)/content/named", [named]).status == 400)
        }
    }

    @Test("an incomplete file is complete after PUT of its content, and takes no more content")
    func completion() async throws {
        try await withVisitors { alice, _ in
            let path = try await Self.createIncomplete(alice)
            for (key, text) in [("small", "s"), ("middle", "mm"), ("large", "lll"), ("null", "12345678")] {
                _ = try await alice.send("PUT", "\(path)/content/\(key)", "text/plain", Array(text.utf8))
            }
            let content = try await alice.send(
                "PUT",
                "\(path)/content",
                "application/json",
                Array("[1,".utf8),
                [("X-ADN-Filename", "list.json")]
            )
            #expect(content.status == 204)
            #expect(content.raw.body == [])
            let file = try await alice.get(path)
            #expect(file["complete"] == .bool(true))
            #expect(file["name"] == "list.json")
            #expect(file["mime_type"] == "application/json")
            #expect(file["derived_files", "small", "name"] == "list_small.txt")
            #expect(file["total_size"] == .integer(17))
            #expect(try await alice.send("PUT", "\(path)/content", "text/plain", [1]).status == 400)
            #expect(try await alice.send("PUT", "\(path)/content/late", "text/plain", [1]).status == 400)
        }
    }

    @Test(
        "a derived file with a bad key or a wrong size is refused",
        arguments: [
            ("a-b", nil), ("core_image", nil), ("", nil), ("image_thumb_200s", (200, 201)),
            ("image_thumb_200s", (100, 100)), ("image_thumb_960r", (641, 100)), ("image_thumb_960r", (640, 961)),
        ] as [(String, (Int, Int)?)]
    )
    func derivedRules(_ key: String, _ size: (Int, Int)?) {
        let bytes = size.map { SampleImages.png(width: $0.0, height: $0.1) } ?? [1]
        let content = FileContent(key: key, name: nil, mediaType: "image/png", facts: ContentFacts(bytes))
        #expect(FileRules.refusal(of: content) != nil)
    }

    @Test(
        "a derived file with a valid key and size is accepted",
        arguments: [
            ("preview", nil), ("image_thumb_200s", (200, 200)), ("image_thumb_960r", (640, 960)),
        ] as [(String, (Int, Int)?)]
    )
    func derivedTaken(_ key: String, _ size: (Int, Int)?) {
        let bytes = size.map { SampleImages.png(width: $0.0, height: $0.1) } ?? [1]
        let content = FileContent(key: key, name: nil, mediaType: "image/png", facts: ContentFacts(bytes))
        #expect(FileRules.refusal(of: content) == nil)
    }

    @Test(
        "a file with an invalid or missing member is refused with 400",
        arguments: [
            "{}", #"{"type":7}"#, #"{"type":"a","kind":"song"}"#, #"{"type":"a","public":"maybe"}"#, "[]", "{",
        ]
    )
    func refused(_ body: String) async throws {
        try await withVisitors { alice, _ async throws in
            let answer = try await alice.send("POST", "files", "application/json", Array(body.utf8))
            #expect(answer.status == 400)
            #expect(answer.message?.hasPrefix("Bad Request: ") == true)
        }
    }

    @Test("a file in an invalid multipart body is refused with 400")
    func badParts() async throws {
        try await withVisitors { alice, _ async throws in
            let type = FormPart("type", "com.example.a")
            let refused: [[FormPart]] = [
                [FormPart("content", "x", file: "a", type: "text/plain")],
                [type, FormPart("other", "x", file: "a", type: "text/plain")],
                [FormPart("metadata", "{", type: "application/json")],
                [type, FormPart("content", Array("?".utf8), file: "a", encoding: "base64")],
                [type, FormPart("content", "1", file: "a"), FormPart("content", "2", file: "b")],
            ]
            for parts in refused {
                #expect(try await alice.multipart("POST", "files", parts).status == 400)
            }
            let cut = try await alice.send("POST", "files", "multipart/form-data; boundary=b", Array("--b\r\n".utf8))
            #expect(cut.status == 400)
        }
    }

    @Test("a file beyond a quota is refused with 507, and nothing of it is stored")
    func quotas() async throws {
        try await withVisitors {
            $0.maxima.uploadBytes = 100
            $0.maxima.storageBytes = 150
            $0.maxima.files = 3
        } _: { alice, bob async throws in
            func upload(_ visitor: AppNetVisitor, _ count: Int) async throws -> Int {
                let bytes = [UInt8](repeating: 1, count: count)
                return try await visitor.multipart(
                    "POST",
                    "files",
                    [FormPart("type", "a.b"), FormPart("content", bytes, file: "a", type: "image/x")]
                ).status
            }
            #expect(try await upload(alice, 101) == 507)
            #expect(try await upload(alice, 100) == 200)
            #expect(try await upload(alice, 51) == 507)
            #expect(try await alice.get("users/me/files").ids.count == 1)
            #expect(try await upload(alice, 50) == 200)
            #expect(try await upload(bob, 100) == 200)
            #expect(try await upload(bob, 1) == 507)
            #expect(try await alice.get("token")["storage"] == ["available": .integer(0), "used": .integer(150)])
        }
    }
}
