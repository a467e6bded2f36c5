import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Revised posts of pnut.io", .timeLimit(.minutes(5)))
struct PnutRevisionTests {
    @Test("the read tokens of all versions of a post expire when the post is deleted")
    func readTokens() async throws {
        try await withPnut { alice, bob in
            let parts = [
                FormPart("type", "com.example.a"), FormPart("content", "hello", file: "h.txt", type: "text/plain"),
            ]
            let file = try await alice.onAppNet.multipart("POST", "files", parts)
            let id = try #require(file["id"], "\(file.text)")
            let reference: TestJSON = ["file_id": id, "file_token": try #require(file["file_token"]), "format": "url"]
            let sent = try await alice.onAppNet.send(
                "POST",
                "posts?include_annotations=1",
                json: [
                    "text": "first",
                    "annotations": [["type": "a.b", "value": ["+net.app.core.file": reference]]],
                ]
            )
            let post = try #require(sent["id"]?.stringValue, "\(sent.text)")
            let shown = sent["annotations"]?.arrayValue?.first?["value"]
            let token = try #require(shown?["file_token_read"]?.stringValue, "\(sent.text)")
            #expect(try await alice.send("PUT", "posts/\(post)", json: ["text": "second", "raw": [:]]).status == 201)
            let path = "files/\(id.stringValue ?? "")?file_token=\(token)"
            #expect(try await bob.onAppNet.get(path).status == 200, "the earlier version is still shown")
            #expect(try await alice.delete("posts/\(post)").status == 200)
            #expect(try await bob.onAppNet.get(path).status == 404)
        }
    }
}
