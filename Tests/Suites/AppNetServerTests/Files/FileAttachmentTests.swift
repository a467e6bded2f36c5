import Foundation
import HeliumJSON
import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Files and places inside of annotations", .timeLimit(.minutes(5)))
struct FileAttachmentTests {
    private struct Upload {
        let id: String
        let token: String
    }

    private func upload(_ visitor: AppNetVisitor, _ parts: [FormPart]) async throws -> Upload {
        let answer = try await visitor.multipart("POST", "files", [FormPart("type", "com.example.photo")] + parts)
        guard let id = answer["id"]?.stringValue, let token = answer["file_token"]?.stringValue else {
            throw RawConnection.Failure.malformed(answer.text)
        }
        return Upload(id: id, token: token)
    }

    private func photo(_ visitor: AppNetVisitor) async throws -> Upload {
        try await upload(
            visitor,
            [
                FormPart("content", SampleImages.png(width: 800, height: 600), file: "p.png", type: "image/png"),
                FormPart(
                    "image_thumb_200s",
                    SampleImages.png(width: 200, height: 200),
                    file: "t.png",
                    type: "image/png"
                ),
            ]
        )
    }

    private func channel(_ visitor: AppNetVisitor, isPublic: Bool) async throws -> String {
        let readers: TestJSON = isPublic ? ["public": .bool(true)] : ["user_ids": ["@bob"]]
        let answer = try await visitor.post("channels", ["type": "com.example.room", "readers": readers])
        guard let id = answer["id"]?.stringValue else { throw RawConnection.Failure.malformed(answer.text) }
        return id
    }

    private func file(_ upload: Upload, _ format: String) -> TestJSON {
        ["file_id": .string(upload.id), "file_token": .string(upload.token), "format": .string(format)]
    }

    private func send(
        _ visitor: AppNetVisitor,
        _ channel: String,
        _ annotations: TestJSON
    ) async throws -> VisitorAnswer {
        try await visitor.post(
            "channels/\(channel)/messages?include_annotations=1",
            ["text": "look", "annotations": annotations]
        )
    }

    /// A photo of alice's that two members of one annotation attach to a message in a channel that bob reads.
    private struct AttachedPhoto {
        let photo: Upload
        let sent: VisitorAnswer
        /// The address of the message.
        let message: String
        /// The files as bob reads them.
        let files: [TestJSON]
    }

    private func attachment(_ alice: AppNetVisitor, _ bob: AppNetVisitor) async throws -> AttachedPhoto {
        let photo = try await photo(alice)
        let channel = try await channel(alice, isPublic: false)
        let list: TestJSON = ["+net.app.core.file_list": [file(photo, "metadata"), file(photo, "metadata")]]
        let sent = try await send(alice, channel, [["type": "net.app.core.attachments", "value": list]])
        let id = try #require(sent["id"]?.stringValue, "\(sent.text)")
        let message = "channels/\(channel)/messages/\(id)"
        let read = try await bob.get("\(message)?include_message_annotations=1")
        let value = try #require(read["annotations"]?.arrayValue?.first?["value"], "\(read.text)")
        #expect(value.names == ["net.app.core.file_list"])
        let files = try #require(value["net.app.core.file_list"]?.arrayValue)
        return AttachedPhoto(photo: photo, sent: sent, message: message, files: files)
    }

    @Test("readers of a message see the metadata of its attachments, and nothing that would let them write")
    func attachments() async throws {
        try await withVisitors { alice, bob in
            let attachment = try await attachment(alice, bob)
            #expect(attachment.sent.status == 200)
            #expect(!attachment.sent.text.contains(attachment.photo.token))
            #expect(attachment.files.count == 2)
            for file in attachment.files {
                #expect(file["file_id"]?.stringValue == attachment.photo.id)
                #expect(file["image_info"]?["width"] == .integer(800))
                #expect(file["derived_files"]?["image_thumb_200s"]?["url"] != nil)
                #expect(file["url_expires"] != nil)
                for name in ["id", "file_token", "user", "source", "annotations", "+net.app.core.file"] {
                    #expect(file[name] == nil)
                }
                #expect(try await bob.follow(file["url"]?.stringValue).raw.body.count > 8)
            }
        }
    }

    @Test("the read token of an attachment opens the file, and does not change it")
    func readToken() async throws {
        try await withVisitors { alice, bob in
            let attachment = try await attachment(alice, bob)
            let path = "files/\(attachment.photo.id)"
            for file in attachment.files {
                let token = try #require(file["file_token_read"]?.stringValue)
                #expect(try await bob.get(path).status == 404)
                let opened = try await bob.get("\(path)?file_token=\(token)")
                #expect(opened.status == 200)
                #expect(opened["file_token_read"] == .string(token))
                #expect(opened["file_token"] == nil)
                #expect(try await bob.get("\(path)/content?file_token=\(token)").status == 302)
                let changed = try await bob.send("PUT", "\(path)?file_token=\(token)", json: ["name": "mine"])
                #expect(changed.status == 403)
            }
        }
    }

    @Test("a reader attaches a file to a message of his own with its read token")
    func passedOn() async throws {
        try await withVisitors { alice, bob in
            let attachment = try await attachment(alice, bob)
            let token = try #require(attachment.files.first?["file_token_read"]?.stringValue)
            let file: TestJSON = [
                "file_id": .string(attachment.photo.id), "file_token": .string(token), "format": "url",
            ]
            let channel = try await channel(bob, isPublic: true)
            let value: TestJSON = ["+net.app.core.file": file, "other": "kept"]
            let shown = try await send(bob, channel, [["type": "com.example.shown", "value": value]])
            #expect(shown.status == 200)
            #expect(shown["annotations"]?.arrayValue?.first?["value"]?["other"] == "kept")
        }
    }

    @Test("an attachment whose file is deleted has only the file's id and read token")
    func deletedFile() async throws {
        try await withVisitors { alice, bob in
            let attachment = try await attachment(alice, bob)
            _ = try await alice.delete("files/\(attachment.photo.id)")
            let gone = try await bob.get("\(attachment.message)?include_annotations=1")
            let left = gone["annotations"]?.arrayValue?.first?["value"]?["net.app.core.file_list"]?.arrayValue
            #expect(left?.first?.names == ["file_id", "file_token_read"])
        }
    }

    @Test("keys of files in annotations are replaced at any depth, so that no write token is shown or kept")
    func nested() async throws {
        try await withVisitors { alice, bob async throws in
            let photo = try await photo(alice)
            let channel = try await channel(alice, isPublic: false)
            func send(_ list: TestJSON) async throws -> VisitorAnswer {
                try await self.send(alice, channel, [["type": "a.b", "value": ["deep": ["list": list]]]])
            }
            let user: TestJSON = ["+net.app.core.user": ["user_id": "2", "format": "basic"]]
            let sent = try await send([
                ["+net.app.core.file": file(photo, "metadata"), "note": "kept"],
                [["+net.app.core.file_list": [file(photo, "url")]], user],
            ])
            let message = try #require(sent["id"]?.stringValue, "\(sent.text)")
            let read = try await bob.get("channels/\(channel)/messages/\(message)?include_annotations=1")
            for answer in [sent, read] {
                #expect(!answer.text.contains(photo.token) && !answer.text.contains("+net.app.core"))
            }
            let value = try #require(read["annotations"]?.arrayValue?.first?["value"])
            let list = try #require(value["deep"]?["list"]?.arrayValue)
            #expect(list.first?["note"] == "kept" && list.first?["image_info"]?["width"] == .integer(800))
            let others = try #require(list.last?.arrayValue)
            #expect(others.last?["username"] == "bob")
            for shown in [list.first, others.first?["net.app.core.file_list"]?.arrayValue?.first] {
                let token = try #require(shown?["file_token_read"]?.stringValue)
                #expect(try await bob.get("files/\(photo.id)?file_token=\(token)").status == 200)
            }
            for wrong: TestJSON in [
                ["+net.app.core.file": file(Upload(id: photo.id, token: "wrong"), "url")],
                ["+net.app.core.other": [:]], ["+net.app.core.file_list": [[:]]],
            ] {
                #expect(try await send([[wrong]]).status == 400, "\(wrong)")
            }
        }
    }

    @Test("a file's read token expires when the annotation that granted it is deleted or replaced")
    func granted() async throws {
        try await withVisitors { alice, bob async throws in
            let text = try await upload(alice, [FormPart("content", "hello", file: "h.txt", type: "text/plain")])
            let other = try await upload(
                alice,
                [FormPart("public", "1"), FormPart("content", "other", file: "o.txt", type: "text/plain")]
            )
            let room = try await channel(alice, isPublic: true)
            let messages = "channels/\(room)/messages"
            let list: TestJSON = [["type": "a.b", "value": ["deep": [["+net.app.core.file": file(text, "url")]]]]]
            let without: TestJSON = ["annotations": [["type": "a.b"]]]
            let replaced: TestJSON = ["annotations": [["type": "a.b", "value": ["other": .integer(1)]]]]
            // How the annotation comes, and how it goes; ID is the new object's.
            let rows: [(String, String, String, String, TestJSON?)] = [
                ("POST", messages, "DELETE", "\(messages)/ID", nil), ("POST", "posts", "DELETE", "posts/ID", nil),
                ("PATCH", "users/me", "PATCH", "users/me", without),
                ("PUT", "channels/\(room)", "PUT", "channels/\(room)", replaced),
                ("PUT", "files/\(other.id)", "DELETE", "files/\(other.id)", nil),
            ]
            for (method, path, drop, dropped, body) in rows {
                let target = "\(path)?include_annotations=1"
                let sent = try await alice.send(method, target, json: ["text": "look", "annotations": list])
                let id = try #require(sent["id"]?.stringValue, "\(sent.text)")
                let shown = sent["annotations"]?.arrayValue?.first?["value"]?["deep"]?.arrayValue?.first
                let token = try #require(shown?["file_token_read"]?.stringValue)
                let url = try #require(shown?["url"]?.stringValue)
                // What does not touch it keeps it, and whoever shows the file on has a token of his own.
                if method.hasPrefix("P"), method != "POST" {
                    let more: TestJSON = ["annotations": [["type": "c.d", "value": [:]]]]
                    #expect(try await alice.send(method, path, json: more).status == 200)
                }
                let onward: TestJSON = ["file_id": .string(text.id), "file_token": .string(token), "format": "url"]
                let passed = try await self.send(
                    bob,
                    try await self.channel(bob, isPublic: true),
                    [["type": "a.b", "value": ["+net.app.core.file": onward]]]
                )
                let own = try #require(passed["annotations"]?.arrayValue?.first?["value"]?["file_token_read"])
                let file = "files/\(text.id)?file_token="
                #expect(try await bob.get(file + token).status == 200)
                #expect(try await bob.follow(url).status == 302)
                let end = dropped.replacing("ID", with: id)
                #expect(try await alice.send(drop, end, json: body ?? [:]).status == 200, "\(drop) \(end)")
                #expect(try await bob.get(file + token).status == 404, "\(drop) \(end)")
                #expect(try await bob.get("files/\(text.id)/content?file_token=\(token)").status == 404)
                #expect(try await bob.follow(url).status == 404, "\(drop) \(end)")
                #expect(try await bob.get(file + (own.stringValue ?? "")).status == 200)
            }
        }
    }

    @Test("URLs of attached files are permanent in public channels, and expire in private ones")
    func urls() async throws {
        try await withVisitors { alice, _ async throws in
            let text = try await upload(alice, [FormPart("content", "hello", file: "h.txt", type: "text/plain")])
            func value(isPublic: Bool) async throws -> (path: String, value: TestJSON) {
                let channel = try await channel(alice, isPublic: isPublic)
                let annotation: TestJSON = ["type": "a.b", "value": ["+net.app.core.file": file(text, "url")]]
                let sent = try await send(alice, channel, [annotation])
                let id = try #require(sent["id"]?.stringValue)
                let value = try #require(sent["annotations"]?.arrayValue?.first?["value"])
                return ("channels/\(channel)/messages/\(id)?include_annotations=1", value)
            }
            let shown = try await value(isPublic: true).value
            #expect(
                shown.names
                    == ["file_id", "file_token_read", "url", "url_immediate", "url_immediate_expires"]
            )
            let found = try await alice.follow(shown["url"]?.stringValue)
            #expect(found.status == 302)
            #expect(try await alice.follow(found.location).text == "hello")
            #expect(try await alice.follow(shown["url_immediate"]?.stringValue).text == "hello")
            let hidden = try await value(isPublic: false)
            #expect(hidden.value.names == ["file_id", "file_token_read", "url", "url_expires"])
            let url = hidden.value["url"]?.stringValue
            #expect(try await alice.follow(url).text == "hello")
            alice.running.appNet.setClockOffset(.seconds(7200))
            #expect(try await alice.follow(url).status == 403)
            let again = try await alice.get(hidden.path)["annotations"]?.arrayValue?.first?["value"]?["url"]?
                .stringValue
            #expect(try await alice.follow(again).text == "hello")
            let later = try await alice.follow(shown["url"]?.stringValue)
            #expect(try await alice.follow(later.location).text == "hello")
        }
    }

    @Test("an embedded photo has its thumbnail, and members of the writer replace those that may be replaced")
    func oembed() async throws {
        try await withVisitors { alice, _ async throws in
            let photo = try await photo(alice)
            let channel = try await channel(alice, isPublic: true)
            let sent = try await send(
                alice,
                channel,
                [
                    [
                        "type": "net.app.core.oembed",
                        "value": [
                            "+net.app.core.file": file(photo, "oembed"), "provider_name": "Helium",
                            "width": .integer(1),
                        ],
                    ]
                ]
            )
            #expect(sent.status == 200)
            let value = try #require(sent["annotations"]?.arrayValue?.first?["value"])
            let expected: [(String, TestJSON)] = [
                ("type", "photo"), ("version", "1.0"), ("width", .integer(800)), ("height", .integer(600)),
                ("thumbnail_width", .integer(200)), ("thumbnail_height", .integer(200)), ("provider_name", "Helium"),
            ]
            for (name, member) in expected { #expect(value[name] == member, "\(name)") }
            let found = try await alice.follow(value["thumbnail_url"]?.stringValue)
            #expect(try await alice.follow(found.location).raw.body == SampleImages.png(width: 200, height: 200))
            #expect(value["thumbnail_large_url"] == nil)
        }
    }

    @Test("a file with oembed metadata is embedded as the metadata describes")
    func suppliedOembed() async throws {
        try await withVisitors { alice, _ async throws in
            let metadata = """
                {"type":"com.example.video","annotations":[{"type":"net.app.core.oembed.metadata","value":{
                "type":"html5video","version":"1.0","width":640,"height":360,"poster_key":"still",
                "sources":[{"type":"video/mp4","url_key":""}]}}]}
                """
            let answer = try await alice.multipart(
                "POST",
                "files",
                [
                    FormPart("metadata", metadata, type: "application/json"),
                    FormPart("content", "film", file: "f.mp4", type: "video/mp4"),
                    FormPart("still", "still", file: "s.png", type: "image/png"),
                ]
            )
            #expect(answer.status == 200)
            let video = Upload(
                id: try #require(answer["id"]?.stringValue),
                token: try #require(answer["file_token"]?.stringValue)
            )
            let channel = try await channel(alice, isPublic: false)
            let sent = try await send(
                alice,
                channel,
                [["type": "net.app.core.oembed", "value": ["+net.app.core.file": file(video, "oembed")]]]
            )
            #expect(sent.status == 200)
            let value = try #require(sent["annotations"]?.arrayValue?.first?["value"])
            #expect(value["type"] == "html5video")
            #expect(try await alice.follow(value["poster_url"]?.stringValue).text == "still")
            let source = try #require(value["sources"]?.arrayValue?.first)
            #expect(source["type"] == "video/mp4")
            #expect(try await alice.follow(source["url"]?.stringValue).text == "film")
        }
    }

    @Test("an embedded photo whose oembed metadata has no address has the address of the file")
    func suppliedPhoto() async throws {
        try await withVisitors { alice, _ async throws in
            let metadata = """
                {"type":"com.example.photo","annotations":[{"type":"net.app.core.oembed.metadata",
                "value":{"type":"photo","version":"1.0","width":240,"height":160}}]}
                """
            let created = try await alice.multipart(
                "POST",
                "files",
                [
                    FormPart("metadata", metadata, type: "application/json"),
                    FormPart("content", "tiff", file: "p.tiff", type: "image/tiff"),
                ]
            )
            let photo = Upload(
                id: try #require(created["id"]?.stringValue, "\(created.text)"),
                token: try #require(created["file_token"]?.stringValue)
            )
            let channel = try await channel(alice, isPublic: false)
            let value: TestJSON = ["+net.app.core.file": file(photo, "oembed")]
            let sent = try await send(alice, channel, [["type": "net.app.core.oembed", "value": value]])
            let shown = try #require(sent["annotations"]?.arrayValue?.first?["value"], "\(sent.text)")
            #expect(shown["width"] == .integer(240))
            #expect(try await alice.follow(shown["url"]?.stringValue).text == "tiff")
        }
    }

    @Test(
        "the oembed metadata of a file is checked against its schema",
        arguments: [
            (#""type":"photo","url_key":"large""#, 200), (#""type":"photo","thumbnail_key":"""#, 400),
            (#""type":"photo","thumbnail_key":"","thumbnail_width":1,"thumbnail_height":1"#, 200),
            (#""type":"photo","thumbnail_key":"","thumbnail_url":"u","thumbnail_width":1,"thumbnail_height":1"#, 400),
            (#""type":"photo","poster_key":7"#, 400), (#""type":"video""#, 400), (#""type":"video","html":"h""#, 200),
            (#""type":"html5video""#, 400), (#""type":"html5video","sources":[{"type":"video/mp4"}]"#, 400),
            (#""type":"html5video","sources":[{"name":"video/mp4","url_key":"mp4"}]"#, 200),
            (#""type":"film""#, 400), (#""title":"t""#, 400),
        ]
    )
    func embedding(_ members: String, _ status: Int) async throws {
        try await withVisitors { alice, _ async throws in
            for (size, expected) in [(#""version":"1.0","width":1,"height":1,"#, status), ("", 400)] {
                let value = try #require(TestJSON.parse("{\(size)\(members)}"))
                let list: TestJSON = [["type": "net.app.core.oembed.metadata", "value": value]]
                let answer = try await alice.post("files", ["type": "a.b", "annotations": list])
                #expect(answer.status == expected, "\(value.text) \(answer.text)")
            }
        }
    }

    @Test("only broadcast channels have an icon, square and at least 200 wide, and a cover of 680x340")
    func broadcastPictures() async throws {
        try await withVisitors { alice, _ async throws in
            let text = try await upload(alice, [FormPart("content", "t", file: "t.png", type: "image/png")])
            func image(_ width: Int, _ height: Int) async throws -> Upload {
                let bytes = SampleImages.png(width: width, height: height)
                return try await upload(alice, [FormPart("content", bytes, file: "p.png", type: "image/png")])
            }
            let draft = try await alice.post("files", ["type": "a.b", "kind": "image"])
            let incomplete = Upload(
                id: draft["id"]?.stringValue ?? "",
                token: draft["file_token"]?.stringValue ?? ""
            )
            let rows: [(String, Upload, Int)] = [
                ("icon", try await image(200, 200), 200), ("icon", try await image(300, 300), 200),
                ("icon", try await image(199, 199), 400), ("icon", try await image(300, 200), 400),
                ("icon", text, 400), ("icon", incomplete, 400),
                ("cover", try await image(680, 340), 200), ("cover", try await image(1360, 680), 400),
                ("cover", text, 400),
            ]
            for (index, (kind, picture, status)) in rows.enumerated() {
                let value: TestJSON = ["+net.app.core.file": file(picture, "metadata")]
                let list: TestJSON = [["type": .string("net.app.core.broadcast.\(kind)"), "value": value]]
                let made = try await alice.post("channels", ["type": "net.app.core.broadcast", "annotations": list])
                #expect(made.status == status, "row \(index) \(made.text)")
                guard let channel = made["id"]?.stringValue else { continue }
                #expect(try await send(alice, channel, list).status == 400, "row \(index)")
                #expect(try await alice.post("channels", ["type": "a.b", "annotations": list]).status == 400)
            }
        }
    }

    @Test("the members of a deleted file are not stored when a client sends them back")
    func echoOfDeleted() async throws {
        try await withVisitors { alice, _ async throws in
            let photo = try await photo(alice)
            let path = "users/me?include_annotations=1"
            let value: TestJSON = .object(["+net.app.core.file": file(photo, "metadata"), "note": "a"])
            let list: TestJSON = ["annotations": [["type": "a.b", "value": value]]]
            let first = try await alice.send("PATCH", path, json: list)
            let answered = try #require(first["annotations"]?.arrayValue?.first?["value"], "\(first.text)")
            #expect(answered["url"] != nil || answered["sha1"] != nil)
            _ = try await alice.delete("files/\(photo.id)")
            _ = try await alice.send("PATCH", path, json: ["annotations": [["type": "a.b", "value": answered]]])
            let left = try await alice.get(path)["annotations"]?.arrayValue?.first?["value"]
            #expect(left?["file_id"]?.stringValue == photo.id && left?["note"] == "a")
            #expect(left?["sha1"] == nil && left?["url"] == nil)
        }
    }

    @Test("a client of pnut.io changes its own members of a file value that it sends back")
    func pnutEcho() async throws {
        try await withVisitors { alice, _ async throws in
            let photo = try await photo(alice)
            var pnut = alice
            pnut.base = "/v1"
            let value: TestJSON = .object(["+io.pnut.core.file": file(photo, "metadata"), "note": "a"])
            let made = try await pnut.post(
                "channels?include_raw=1",
                ["type": "com.example.room", "raw": ["com.example.y": [value]]]
            )
            let id = try #require(made["id"]?.stringValue, "\(made.text)")
            var answered = try #require(made["raw"]?["com.example.y"]?.arrayValue?.first)
            answered["note"] = "b"
            let sent = try await pnut.send(
                "PUT",
                "channels/\(id)?include_raw=1",
                json: ["raw": ["com.example.y": [answered]]]
            )
            let changed = try #require(sent["raw"]?["com.example.y"]?.arrayValue?.first, "\(sent.text)")
            #expect(changed["note"] == "b" && changed["file_id"]?.stringValue == photo.id)
        }
    }

    /// The path of the messages of a channel of alice's, and the ids of the three kinds of messages with a photo.
    private struct PhotoMessages {
        let channel: String
        let photo: Upload
        /// Written on App.net, with the photo twice in a list.
        let attached: String
        /// Written on App.net, with the photo embedded.
        let embedded: String
        /// Written on pnut.io, with the photo in two annotations.
        let pnut: String

        var path: String { "channels/\(channel)/messages" }
    }

    private func photoMessages(_ alice: AppNetVisitor) async throws -> PhotoMessages {
        let photo = try await photo(alice)
        let channel = try await channel(alice, isPublic: false)
        func send(_ type: String, _ value: TestJSON) async throws -> String {
            let sent = try await self.send(alice, channel, [["type": .string(type), "value": value]])
            return try #require(sent["id"]?.stringValue, "\(sent.text)")
        }
        let list: TestJSON = ["+net.app.core.file_list": [file(photo, "metadata"), file(photo, "metadata")]]
        let attached = try await send("net.app.core.attachments", list)
        let embedded = try await send("net.app.core.oembed", ["+net.app.core.file": file(photo, "oembed")])
        var writer = alice
        writer.base = "/v1"
        let part: TestJSON = ["+io.pnut.core.file": file(photo, "metadata"), "note": "kept"]
        let sent = try await writer.post(
            "channels/\(channel)/messages",
            ["text": "look", "raw": ["io.pnut.core.attachments": [part, part]]]
        )
        let pnut = try #require(sent["id"]?.stringValue, "\(sent.text)")
        return PhotoMessages(channel: channel, photo: photo, attached: attached, embedded: embedded, pnut: pnut)
    }

    @Test("an attachment of App.net that is not a list is refused")
    func singleAttachment() async throws {
        try await withVisitors { alice, _ in
            let photo = try await photo(alice)
            let channel = try await channel(alice, isPublic: false)
            let single: TestJSON = ["+net.app.core.file": file(photo, "metadata")]
            let refused = try await send(alice, channel, [["type": "net.app.core.attachments", "value": single]])
            #expect(refused.status == 400 && refused.message?.hasSuffix("needs +net.app.core.file_list.") == true)
        }
    }

    @Test("a list of attachments of App.net is read on pnut.io as one value for each file")
    func attachmentsOnPnut() async throws {
        try await withVisitors { alice, bob in
            let messages = try await photoMessages(alice)
            var pnut = bob
            pnut.base = "/v1"
            let read = try await pnut.get("\(messages.path)/\(messages.attached)?include_raw=1")
            let raw = read["raw"]?["io.pnut.core.attachments"]
            #expect(raw?.arrayValue?.map { $0["file_id"]?.stringValue } == [messages.photo.id, messages.photo.id])
        }
    }

    @Test("an attachment of pnut.io is read on App.net as a list of one file")
    func attachmentsOfPnut() async throws {
        try await withVisitors { alice, bob in
            let messages = try await photoMessages(alice)
            let message = try await bob.get("\(messages.path)/\(messages.pnut)?include_annotations=1")
            let read = message["annotations"]?.arrayValue ?? []
            #expect(read.count == 2)
            for annotation in read {
                #expect(annotation["value"]?["note"] == "kept")
                let files = annotation["value"]?["net.app.core.file_list"]?.arrayValue
                #expect(files?.map { $0["file_id"]?.stringValue } == [messages.photo.id])
            }
        }
    }

    @Test("searches find messages by attachments and embedded photos, in whichever dialect they were written")
    func searched() async throws {
        try await withVisitors { alice, bob in
            let messages = try await photoMessages(alice)
            let (both, attached, embedded) = (messages.pnut, messages.attached, messages.embedded)
            for (query, found) in [
                ("has_attachment=1", [both, attached]), ("has_attachment=0", [embedded]),
                ("attachment_types=com.example.photo", [both, attached]), ("attachment_types=com.example.film", []),
                ("has_oembed_photo=1", [embedded]), ("has_oembed_photo=0", [both, attached]),
                ("has_oembed_video=1", []),
            ] {
                let path = "channels/messages/search?channel_ids=\(messages.channel)&\(query)"
                #expect(try await bob.get(path).ids == found, "\(query)")
            }
        }
    }

    @Test("an annotation with a place's id is read with all members of the place")
    func places() async throws {
        try await withVisitors { alice, _ async throws in
            let channel = try await channel(alice, isPublic: true)
            let place = try #require(PlaceDirectory.places.first)
            func checkin(_ id: String) -> TestJSON {
                ["type": "net.app.core.checkin", "value": ["+net.app.core.place": ["factual_id": .string(id)]]]
            }
            let sent = try await send(alice, channel, [checkin(place.id)])
            #expect(sent.status == 200)
            #expect(sent["annotations"]?.arrayValue?.first?["value"] == TestJSON.parse(place.rendered().text()))
            #expect(try await send(alice, channel, [checkin("nowhere")]).status == 400)
        }
    }

    @Test("an annotation with an invalid file, token or format is refused with 400")
    func refused() async throws {
        try await withVisitors { alice, bob async throws in
            let photo = try await photo(alice)
            let text = try await upload(alice, [FormPart("content", "t", file: "t.txt", type: "text/plain")])
            let channel = try await channel(alice, isPublic: true)
            let foreign = try await self.channel(bob, isPublic: true)
            let rows: [(AppNetVisitor, String, type: String, TestJSON)] = [
                (alice, channel, "a.b", ["file_id": .string(photo.id), "format": "url"]),
                (alice, channel, "a.b", ["file_id": .string(photo.id), "file_token": .string(photo.token)]),
                (alice, channel, "a.b", file(Upload(id: photo.id, token: "wrong"), "url")),
                (alice, channel, "a.b", file(Upload(id: "99", token: photo.token), "url")),
                (alice, channel, "a.b", file(photo, "magic")), (alice, channel, "a.b", file(photo, "oembed")),
                (alice, channel, "net.app.core.oembed", file(text, "oembed")),
                // A write token is not portable.
                (bob, foreign, "a.b", file(photo, "url")),
            ]
            for (index, row) in rows.enumerated() {
                let annotation: TestJSON = ["type": .string(row.type), "value": ["+net.app.core.file": row.3]]
                #expect(try await send(row.0, row.1, [annotation]).status == 400, "row \(index)")
            }
        }
    }
}
