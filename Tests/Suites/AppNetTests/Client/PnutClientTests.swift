import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import AppNet

@Suite("A client of pnut.io", .timeLimit(.minutes(5)))
struct PnutClientTests {
    @Test("a client of pnut.io decodes objects, lists and pages with the members of App.net")
    func reading() async throws {
        let mention = #"{"text":"bob","id":"2","pos":3,"len":4}"#
        let entities = #"{"mentions":[\#(mention)],"tags":[],"links":[]}"#
        let message = #"""
            {"id":"7","channel_id":"5","content":{"text":"Hi @bob","entities":\#(entities)},"counts":{"replies":2},
            "raw":{"com.example.mood":[{"level":2}]},"source":{"name":"x","url":"https://example.com","id":"c1"}}
            """#
        let transport = MockTransport()
        transport.on(.get, "/v1/channels/5/messages/7") { _ in answer(message) }
        transport.on(.get, "/v1/channels/5/messages") { _ in
            answer("[\(message)]", meta: #""code":200,"more":false,"min_id":"7","max_id":"7""#)
        }
        let client = try makeClient(transport, dialect: .pnut)
        let alone = try await client.messages.get(7, in: 5)
        let page = try await client.messages.list(in: 5).page()
        #expect(page.elements == [alone] && page.meta.maxID == "7")
        #expect(alone.text == "Hi @bob" && alone.replyCount == 2 && alone.source?.clientID == "c1")
        #expect(alone.entities?.mentions?.first?.name == "bob")
        #expect(alone.annotations?.first == Annotation(type: "com.example.mood", value: ["level": 2]))
    }

    @Test("a client of pnut.io sends App.net's members under the names of pnut.io")
    func writing() async throws {
        let transport = MockTransport(answers: [answer("{}", status: 201)])
        let client = try makeClient(transport, dialect: .pnut)
        let mood = Annotation(type: "com.example.mood", value: ["level": 2])
        _ = try await client.messages.create(Message(text: "Hi", annotations: [mood]), in: 5)
        let message = try JSONValue(parsing: transport.requests[0].body ?? Data())
        #expect(message["text"] == "Hi" && message["raw", "com.example.mood", 0, "level"] == 2)
        #expect(message["annotations"] == nil)
        let writers = ChannelAccess.writers(.users([2]))
        _ = try await client.channels.create(AppNetChannel(type: "a.b", writers: writers))
        let channel = try JSONValue(parsing: transport.requests[1].body ?? Data())
        #expect(channel["acl", "write", "user_ids", 0] == "2" && channel["writers"] == nil)
    }

    @Test("a client of pnut.io asks for types by the names of pnut.io, and reads them by those of App.net")
    func types() async throws {
        let transport = MockTransport(answers: [answer(#"{"io.pnut.core.pm":3,"a.b":1}"#)])
        let client = try makeClient(transport, dialect: .pnut)
        let counts = try await client.channels.unreadCounts(of: ["net.app.core.pm", "a.b"])
        #expect(counts == ["net.app.core.pm": 3, "a.b": 1])
        #expect(try await client.channels.markRead(["net.app.core.pm", "a.b"]) == counts)
        var parameters = GeneralParameters()
        parameters.channelTypes = ["net.app.core.pm", "a.b"]
        parameters.excludedChannelTypes = ["net.app.core.broadcast"]
        parameters.fileTypes = ["net.app.core.oembed", "c.d"]
        let pnut = parameters.query(in: .pnut)
        #expect(pnut["channel_types"] == .single("io.pnut.core.pm,a.b"))
        #expect(pnut["exclude_channel_types"] == .single("io.pnut.core.broadcast"))
        #expect(pnut["file_types"] == .single("io.pnut.core.oembed,c.d"))
        #expect(parameters.query(in: .appNet)["channel_types"] == .single("net.app.core.pm,a.b"))
        var posts = ContentSearch()
        posts.annotationTypes = ["net.app.core.oembed", "a.b"]
        _ = try? await client.search.posts(posts).page()
        var channels = ChannelSearch()
        channels.type = .privateMessages
        _ = try? await client.search.channels(channels).page()
        let targets = transport.requests.map(\.url.target)
        #expect(targets[0].contains("channel_types=io.pnut.core.pm%2Ca.b") && targets[1] == targets[0])
        #expect(targets[2].contains("raw_types=io.pnut.core.oembed%2Ca.b"))
        #expect(targets[3].contains("channel_types=io.pnut.core.pm"))
    }

    @Test("the metadata of an event has the channel's type by the name of App.net")
    func typeOfEvent() throws {
        let text = #"{"meta":{"type":"message","channel_type":"io.pnut.core.pm","subscription_id":"a"},"data":[]}"#
        let data = Data(text.utf8)
        #expect(try StreamEvent(frame: data, dialect: .pnut).meta.channelType == .privateMessages)
        #expect(try StreamEvent(frame: data, dialect: .appNet).meta.channelType == "io.pnut.core.pm")
        #expect(try EventFrame(data, dialect: .pnut).event(of: Message.self).meta.channelType == .privateMessages)
    }

    @Test("a client of pnut.io attaches files one by one, and reads them as a list")
    func attachments() async throws {
        let read =
            #"{"id":"7","raw":{"io.pnut.core.attachments":[{"file_id":"1","name":"a","is_complete":true,"is_public":false,"sha256":"s","url_expires_at":"2026-01-02T03:04:05Z","derived_files":{"core_image_200s":{"url":"https://f.example/t"}}},{"file_id":"2"}]}}"#
        let transport = MockTransport(answers: [answer(read, status: 201)])
        let client = try makeClient(transport, dialect: .pnut)
        let files = ["1", "2"].map { FileReference(id: File.ID($0), token: Secret("t")) }
        let draft = Message(text: "x", annotations: [.attachments(files)])
        try client.messages.validate(draft, in: 5)
        let message = try await client.messages.create(draft, in: 5)
        let body = try JSONValue(parsing: transport.requests[0].body ?? Data())
        let raw = try #require(body["raw", "io.pnut.core.attachments"]?.arrayValue)
        #expect(raw.map { $0["+io.pnut.core.file", "file_id"] } == ["1", "2"] && transport.requests.count == 1)
        let names = try message.annotations?.map { try $0.decoded(as: Attachments.self)?.files?.first?.name }
        #expect(names == ["a", nil])
        let file = try message.annotations?.first?.decoded(as: Attachments.self)?.files?.first
        #expect(file?.isComplete == true && file?.isPublic == false && file?.urlExpires != nil)
        #expect(file?.derivedFiles?.keys.sorted() == ["image_thumb_200s"])
        // What was read can be written.
        let annotations = try #require(message.annotations)
        let value = try JSONValue(parsing: HeliumJSONEncoder().encode(Message(annotations: annotations)))
        let form = try PnutMembers.pnutForm(of: value, as: Message.self)
        #expect(try form["raw"] == JSONValue(parsing: read)["raw"])
    }

    @Test("a client of pnut.io refuses members that the service lacks, and sends nothing")
    func untranslatable() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport, dialect: .pnut)
        let mood = Annotation(type: "com.example.mood", value: ["level": 2])
        let message = Message(annotations: [mood], isMachineOnly: true)
        let error = try #require(await AppNetError.thrown { _ = try await client.messages.create(message, in: 5) })
        #expect(error.kind == .unsupportedByDialect && transport.requests.isEmpty, "\(error)")
    }

    @Test("a client of pnut.io sends a marker on creation, and notes with bookmarks")
    func own() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport, dialect: .pnut)
        _ = try await client.messages.create(Message(text: "x"), in: 5, updatesMarker: true)
        try await client.posts.star(4, note: "later")
        #expect(transport.requests[0].url.target == "/v1/channels/5/messages?update_marker=1")
        #expect(transport.requests[1].bodyText == #"{"note":"later"}"#)
        let appNet = try makeClient(transport)
        for call in [
            { _ = try await appNet.messages.create(Message(text: "x"), in: 5, updatesMarker: true) },
            { try await appNet.posts.star(4, note: "later") },
            { _ = try await appNet.interactions.list(.except(.reply)).page() },
        ] as [@Sendable () async throws -> Void] {
            let error = try #require(await AppNetError.thrown { try await call() })
            #expect(error.kind == .unsupportedByDialect && transport.requests.count == 2)
        }
    }

    @Test("a response of pnut.io with invalid members is an error with their path")
    func broken() async throws {
        let transport = MockTransport(answers: [answer(#"{"id":"7","raw":7}"#)])
        let client = try makeClient(transport, dialect: .pnut)
        let error = try #require(await AppNetError.thrown { _ = try await client.messages.get(7, in: 5) })
        #expect(error.kind == .undecodable, "\(error)")
    }
}
