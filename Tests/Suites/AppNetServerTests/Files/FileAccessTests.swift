import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Access to files of App.net, and their addresses", .timeLimit(.minutes(5)))
struct FileAccessTests {
    /// Uploads a text and gives its answer.
    private func upload(
        _ visitor: AppNetVisitor,
        _ text: String = "hello",
        type: String = "com.example.note",
        isPublic: Bool = false
    ) async throws -> VisitorAnswer {
        let answer = try await visitor.multipart(
            "POST",
            "files",
            [
                FormPart("type", type), FormPart("public", isPublic ? "1" : "0"),
                FormPart("content", text, file: "note.txt", type: "text/plain"),
            ]
        )
        guard answer.status == 200 else { throw RawConnection.Failure.malformed(answer.text) }
        return answer
    }

    private func withoutFilesScope(
        _ body: (_ alice: AppNetVisitor, _ narrow: AppNetVisitor, _ bob: AppNetVisitor) async throws -> Void
    ) async throws {
        try await withVisitors {
            $0.accounts.users.append(AppNetAccounts.User(name: "carol", scopes: ["basic"], tokens: ["carol-token"]))
        } _: { alice, bob async throws in
            var narrow = alice
            let secret = try #require(alice.running.ready.appNet.clientSecret as String?)
            let grant = try await alice.form(
                "/oauth/access_token",
                [
                    ("grant_type", "password"), ("client_id", "helium"), ("client_secret", secret),
                    ("password_grant_secret", "helium-password-grant"), ("username", "alice"),
                    ("password", "alice-password"), ("scope", "basic"),
                ]
            )
            narrow.token = try #require(grant.json?["access_token"]?.stringValue)
            try await body(alice, narrow, bob)
        }
    }

    @Test("a private file is for its owner's scope or token, a public one for all, and only the owner changes it")
    func table() async throws {
        try await withoutFilesScope { alice, narrow, bob in
            let hidden = try await upload(alice)
            let shown = try await upload(alice, isPublic: true)
            let hiddenID = try #require(hidden["id"]?.stringValue)
            let shownID = try #require(shown["id"]?.stringValue)
            let token = try #require(hidden["file_token"]?.stringValue)
            var anonymous = alice
            anonymous.token = nil
            let rows: [(AppNetVisitor, String, read: Int, write: Int)] = [
                (alice, hiddenID, 200, 200), (alice, "\(hiddenID)?file_token=wrong", 200, 200),
                (narrow, hiddenID, 403, 403), (narrow, "\(hiddenID)?file_token=\(token)", 200, 200),
                (bob, hiddenID, 404, 404), (bob, "\(hiddenID)?file_token=\(token)", 404, 404),
                (anonymous, hiddenID, 404, 401), (anonymous, "\(hiddenID)?file_token=\(token)", 404, 401),
                (bob, shownID, 200, 403), (anonymous, shownID, 200, 401), (narrow, shownID, 200, 403),
                (alice, "999", 404, 404), (alice, "x", 404, 404),
            ]
            for (index, row) in rows.enumerated() {
                #expect(try await row.0.get("files/\(row.1)").status == row.read, "row \(index)")
                let written = try await row.0.send("PUT", "files/\(row.1)", json: ["name": "b.txt"])
                #expect(written.status == row.write, "row \(index)")
            }
            #expect(try await bob.delete("files/\(shownID)").status == 403)
        }
    }

    @Test("the write token of a file is shown to its owner without query parameters, or if it was sent")
    func shownToken() async throws {
        try await withoutFilesScope { alice, narrow, bob in
            let hidden = try await upload(alice)
            let shown = try await upload(alice, isPublic: true)
            let hiddenID = try #require(hidden["id"]?.stringValue)
            let shownID = try #require(shown["id"]?.stringValue)
            let token = try #require(hidden["file_token"]?.stringValue)
            #expect(try await bob.get("files/\(shownID)")["file_token"] == nil)
            #expect(try await narrow.get("files/\(hiddenID)?file_token=\(token)")["file_token"] == .string(token))
            #expect(try await alice.get("files/\(hiddenID)")["file_token"] == .string(token))
            #expect(try await alice.get("files/\(hiddenID)?include_annotations=1")["file_token"] == nil)
            #expect(try await alice.get("files/\(hiddenID)?file_token=wrong")["file_token"] == nil)
            #expect(try await alice.get("files/\(hiddenID)?file_token=\(token)")["file_token"] == .string(token))
        }
    }

    @Test("listing and creating files need the scope files")
    func scope() async throws {
        try await withoutFilesScope { _, narrow, _ async throws in
            #expect(try await narrow.get("users/me/files").status == 403)
            #expect(try await narrow.post("files", ["type": "a.b"]).status == 403)
        }
    }

    @Test("the owner of a file changes its name and publicity, but not its kind and content, and deletes it")
    func update() async throws {
        try await withVisitors { alice, _ async throws in
            let created = try await upload(alice)
            let id = try #require(created["id"]?.stringValue)
            for method in ["PUT", "PATCH"] {
                let changed = try await alice.send(
                    method,
                    "files/\(id)",
                    json: ["name": .string("\(method).txt"), "public": .bool(true), "kind": "image", "sha1": "0"]
                )
                #expect(changed.status == 200)
                #expect(changed["name"] == .string("\(method).txt"))
                #expect(changed["public"] == .bool(true))
                #expect(changed["kind"] == "other")
                #expect(changed["sha1"] == created["sha1"])
            }
            let deleted = try await alice.delete("files/\(id)")
            #expect(deleted.status == 200)
            #expect(deleted["id"]?.stringValue == id)
            #expect(deleted["file_token"] == nil)
            #expect(try await alice.get("files/\(id)").status == 404)
            #expect(try await alice.follow(created["url"]?.stringValue).status == 404)
        }
    }

    @Test("content is uploaded with any scope that shows files, until the file is complete")
    func uploading() async throws {
        let scopes = ["write_post", "messages", "public_messages", "update_profile"]
        try await withVisitors {
            for scope in scopes {
                let name = scope.replacing("_", with: "")
                $0.accounts.users.append(AppNetAccounts.User(name: name, scopes: [scope], tokens: ["\(scope)-token"]))
            }
        } _: { alice, _ async throws in
            for scope in scopes {
                var visitor = alice
                visitor.token = "\(scope)-token"
                let draft = try await visitor.post("files", ["type": "com.example.note"])
                let file = "files/\(try #require(draft["id"]?.stringValue, "\(draft.text)"))"
                func put(_ visitor: AppNetVisitor, _ path: String) async throws -> Int {
                    try await visitor.send("PUT", path, "text/plain", Array("hello".utf8)).status
                }
                #expect(try await put(alice, "\(file)/content") == 404)
                #expect(try await put(visitor, "\(file)/content/first") == 204)
                let part = FormPart("content", "hello", file: "b.txt", type: "text/plain")
                #expect(try await visitor.multipart("POST", "\(file)/content/second", [part]).status == 200)
                #expect(try await put(visitor, "\(file)/content") == 204)
                // Whatever else is done with it is managing files.
                #expect(try await put(visitor, "\(file)/content") == 403)
                #expect(try await visitor.get(file).status == 403)
                #expect(try await visitor.send("PUT", file, json: ["name": "b.txt"]).status == 403)
            }
        }
    }

    @Test("a file with a media type that is invalid in a header has application/octet-stream")
    func mediaType() async throws {
        try await withVisitors { alice, _ async throws in
            for type in ["text/x\u{1B}[2J", "text/plain\u{7F}", "nothing", "text/ä"] {
                let parts = [
                    FormPart("type", "com.example.note"), FormPart("content", "x", file: "a.txt", type: type),
                ]
                let created = try await alice.multipart("POST", "files", parts)
                #expect(created.status == 200 && created["mime_type"] == "application/octet-stream", "\(created.text)")
            }
            for type in ["nothing", "text/ä"] {
                let draft = try await alice.post("files", ["type": "com.example.note"])
                let file = "files/\(draft["id"]?.stringValue ?? "")"
                #expect(try await alice.send("PUT", "\(file)/content", type, [0x78]).status == 204)
                #expect(try await alice.get(file)["mime_type"] == "application/octet-stream", "\(type)")
            }
        }
    }

    @Test("a body longer than the longest file is refused with 507 and the limit, in either dialect")
    func tooLong() async throws {
        try await withVisitors {
            $0.maxima.uploadBytes = 10_000
        } _: { alice, _ async throws in
            var pnut = alice
            pnut.base = "/v1"
            let body = [UInt8](repeating: 0x61, count: 1_200_000)
            for visitor in [alice, pnut] {
                let parts = [FormPart("type", "com.example.note"), FormPart("content", body, file: "a.txt")]
                let answer = try await visitor.multipart("POST", "files", parts)
                #expect(answer.status == 507 && answer.message?.contains("10000 bytes") == true, "\(answer.text)")
                #expect((answer.meta?["error_id"] == nil) == (visitor.base == "/v1"))
            }
            // The limit of other bodies applies to these, also where a file can be sent.
            #expect(try await alice.send("POST", "posts", "application/json", body).status == 413)
            for visitor in [alice, pnut] {
                let answer = try await visitor.send("POST", "files", "application/json", body)
                #expect(answer.status == 413 && answer.message?.contains("10000") == false, "\(answer.text)")
            }
        }
    }

    @Test("a file has permanent URLs as long as it is public")
    func permanent() async throws {
        try await withVisitors { alice, _ async throws in
            let created = try await upload(alice, isPublic: true)
            let permanent = try #require(created["url_permanent"]?.stringValue)
            let short = try #require(created["url_short"]?.stringValue)
            for url in [permanent, short, short + ".txt"] {
                let found = try await alice.follow(url)
                #expect(found.status == 302)
                #expect(try await alice.follow(found.location).text == "hello")
            }
            let id = try #require(created["id"]?.stringValue)
            _ = try await alice.send("PUT", "files/\(id)", json: ["public": .bool(false)])
            for url in [permanent, short] { #expect(try await alice.follow(url).status == 404) }
        }
    }

    @Test("a temporary URL with another file, key, name or time leads nowhere")
    func changedURL() async throws {
        try await withVisitors { alice, _ in
            let created = try await upload(alice)
            let other = try await upload(alice, "other")
            let url = try #require(created["url"]?.stringValue)
            #expect(try await alice.follow(url).text == "hello")
            let first = try #require(created["id"]?.stringValue)
            let second = try #require(other["id"]?.stringValue)
            #expect(try await alice.follow(url.replacing("/\(first)/-/", with: "/\(second)/-/")).status == 404)
            #expect(try await alice.follow(url.replacing("/-/", with: "/key/")).status == 404)
            let name = try #require(url.split(separator: "/").last)
            #expect(
                try await alice.follow(url.dropLast(name.utf8.count) + "other.txt").status == 404,
                "the name counts"
            )
            let expires = try #require(url.split(separator: "/").dropLast(2).last.flatMap { Int($0) })
            #expect(try await alice.follow(url.replacing("/\(expires)/", with: "/\(expires + 9)/")).status == 404)
        }
    }

    @Test("a temporary URL expires after an hour, as its file says, and a new one is valid again")
    func temporary() async throws {
        try await withVisitors { alice, _ in
            let created = try await upload(alice)
            let url = try #require(created["url"]?.stringValue)
            let expires = try #require(url.split(separator: "/").dropLast(2).last.flatMap { Int($0) })
            let promised = try #require(created["url_expires"]?.stringValue.flatMap(AppNetDate.seconds))
            #expect(promised == Int64(expires))
            alice.running.appNet.setClockOffset(.seconds(3599))
            #expect(try await alice.follow(url).status == 200)
            alice.running.appNet.setClockOffset(.seconds(4000))
            #expect(try await alice.follow(url).status == 403)
            let id = try #require(created["id"]?.stringValue)
            let again = try await alice.get("files/\(id)")
            #expect(try await alice.follow(again["url"]?.stringValue).text == "hello")
        }
    }

    @Test("a file's content is served in ranges and by entity tag")
    func ranges() async throws {
        try await withVisitors { alice, _ async throws in
            let text = String(repeating: "0123456789", count: 200)
            let url = try await upload(alice, text)["url"]?.stringValue
            let whole = try await alice.follow(url, [("Accept-Encoding", "gzip")])
            #expect(whole.raw["accept-ranges"] == "bytes")
            #expect(whole.raw["content-encoding"] == nil)
            #expect(whole.text == text)
            let tag = try #require(whole.raw["etag"])
            let part = try await alice.follow(url, [("Range", "bytes=1995-"), ("If-Range", tag)])
            #expect(part.status == 206)
            #expect(part.text == "56789")
            #expect(part.raw["content-range"] == "bytes 1995-1999/2000")
            #expect(part.raw["etag"] == tag)
            #expect(try await alice.follow(url, [("Range", "bytes=5-"), ("If-Range", "\"x\"")]).status == 200)
            let beyond = try await alice.follow(url, [("Range", "bytes=2000-")])
            #expect(beyond.status == 416)
            #expect(beyond.raw["content-range"] == "bytes */2000")
            #expect(try await alice.follow(url, [("If-None-Match", tag)]).status == 304)
        }
    }

    @Test(
        "a Range field selects bytes as RFC 9110 defines",
        arguments: [
            ("bytes=0-0", .satisfiable(0..<1)), ("bytes=2-", .satisfiable(2..<10)), ("bytes=-3", .satisfiable(7..<10)),
            ("bytes=-99", .satisfiable(0..<10)), ("bytes=8-99", .satisfiable(8..<10)),
            ("bytes=8-9223372036854775807", .satisfiable(8..<10)), ("bytes=10-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=3-2", nil), ("bytes=1-2,4-5", nil), ("items=1-2", nil),
            ("bytes", nil), ("bytes=", nil), ("bytes=-", nil), ("bytes=a-b", nil), ("bytes=--1", nil),
        ] as [(String, ByteRange?)]
    )
    func byteRanges(_ text: String, _ expected: ByteRange?) {
        #expect(ByteRange(text, count: 10) == expected)
    }

    /// Uploads five files of alternating types, the last of them public, and creates an incomplete one. Returns the ids.
    private func uploadSix(_ visitor: AppNetVisitor) async throws -> [String] {
        var ids: [String] = []
        for number in 0..<5 {
            let type = number % 2 == 0 ? "com.example.even" : "com.example.odd"
            let created = try await upload(visitor, type: type, isPublic: number == 4)
            ids.append(try #require(created["id"]?.stringValue))
        }
        let draft = try await visitor.post("files", ["type": "com.example.odd"])
        ids.append(try #require(draft["id"]?.stringValue))
        return ids
    }

    @Test("the list of a user's own files is newest first, in pages")
    func ownFiles() async throws {
        try await withVisitors { alice, bob in
            let ids = try await uploadSix(alice)
            _ = try await upload(bob)
            let all = try await alice.get("users/me/files")
            #expect(all.ids == ids.reversed())
            #expect(all.meta?["more"] == .bool(false))
            #expect(all.meta?["max_id"]?.stringValue == ids.last)
            let page = try await alice.get("users/me/files?count=2&before_id=\(ids[4])")
            #expect(page.ids == [ids[3], ids[2]])
            #expect(page.meta?["more"] == .bool(true))
            #expect(try await alice.get("users/me/files?count=-1&since_id=\(ids[0])").ids == [ids[1]])
        }
    }

    @Test("the list of a user's own files is filtered by type, completeness and publicity")
    func filteredFiles() async throws {
        try await withVisitors { alice, _ in
            let ids = try await uploadSix(alice)
            let odd = try await alice.get("users/me/files?file_types=com.example.odd,com.example.none&count=2")
            #expect(odd.ids == [ids[5], ids[3]])
            #expect(odd.meta?["more"] == .bool(true))
            #expect(try await alice.get("users/me/files?include_incomplete=0").ids == ids.dropLast().reversed())
            #expect(try await alice.get("users/me/files?include_private=0").ids == [ids[4]])
        }
    }

    @Test("files are listed by ids, without those that the caller may not see")
    func filesByID() async throws {
        try await withVisitors { alice, bob in
            let ids = try await uploadSix(alice)
            let some = try await alice.get("files?ids=\(ids[1]),%20\(ids[0]),999,x")
            #expect(some.ids == [ids[1], ids[0]])
            #expect(some.meta == ["code": .integer(200)])
            #expect(try await bob.get("files?ids=\(ids.joined(separator: ","))").ids == [ids[4]])
            #expect(try await alice.get("files").status == 400)
        }
    }
}
