import Foundation
import HeliumKit
import HeliumTesting
import Testing

@testable import AppNet

@Suite("Pages with items that cannot be decoded")
struct UnreadableItemTests {
    private static let meta = #""code":200,"min_id":"1","max_id":"3","more":false"#

    /// Three messages with something in place of the second.
    private static func page(_ second: String) -> String {
        #"[{"id":"3","text":"c"},\#(second),{"id":"1","text":"a"}]"#
    }

    private func list(_ data: String, _ dialect: AppNetDialect = .appNet) throws -> PagedList<Message> {
        let transport = MockTransport { _ in answer(data, meta: Self.meta) }
        return try makeClient(transport, dialect: dialect).messages.list(in: 1)
    }

    @Test(
        "one message that cannot be decoded is left out and named, and does not end an iteration",
        arguments: [
            #"{"id":"2","text":"b","annotations":[{"type":"a.b","value":{}},5]}"#,
            #"{"id":"2","text":"b","entities":{"links":"none"}}"#, #"{"id":"2","created_at":"soon"}"#,
            #"{"id":2,"text":{"a":1}}"#,
        ]
    )
    func named(_ second: String) async throws {
        let list = try list(Self.page(second))
        let page = try await list.page()
        #expect(page.elements.map(\.text) == ["c", "a"])
        #expect(page.unreadable.count == 1 && page.unreadable.ids == ["2"])
        var texts: [String?] = []
        for try await message in list { texts.append(message.text) }
        #expect(texts == ["c", "a"])
        let error = #expect(throws: AppNetError.self) { try page.completeElements() }
        #expect(error?.kind == .undecodable && error?.message.contains("2") == true)
    }

    @Test("an item without an id is counted", arguments: ["5", "null", "[]", #"{"text":{}}"#])
    func nameless(_ second: String) async throws {
        let page = try await list(Self.page(second)).page()
        #expect(page.elements.count == 2 && page.unreadable.count == 1 && page.unreadable.ids.isEmpty)
    }

    @Test(
        "half an emoji becomes U+FFFD, and a control character stays",
        arguments: [(#"b\ud83d"#, "b\u{FFFD}"), (#"\ude00b"#, "\u{FFFD}b"), ("b\u{1}", "b\u{1}"), ("b\nc", "b\nc")],
        [AppNetDialect.appNet, .pnut]
    )
    func texts(_ text: (String, String), _ dialect: AppNetDialect) async throws {
        let second =
            dialect == .appNet
            ? #"{"id":"2","text":"\#(text.0)"}"# : #"{"id":"2","content":{"text":"\#(text.0)"}}"#
        let page = try await list(Self.page(second), dialect).page()
        #expect(page.unreadable.isEmpty && page.elements.count == 3)
        #expect(page.elements[1].text == text.1)
    }

    @Test("a message of pnut.io that cannot be translated is left out and named")
    func untranslatable() async throws {
        let page = try await list(Self.page(#"{"id":"2","raw":5}"#), .pnut).page()
        #expect(page.elements.compactMap(\.id) == [3, 1] && page.unreadable.ids == ["2"])
    }

    /// Arrays or objects inside of each other.
    private static func nested(_ depth: Int, _ open: String = "[", _ close: String = "]") -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }

    @Test(
        "a message that is nested too deep is left out and named, wherever its id is",
        arguments: [AppNetDialect.appNet, .pnut],
        [
            #"{"id":"2","text":"b","annotations":[{"type":"a.b","value":{"a":DEEP}}]}"#,
            #"{"annotations":[{"type":"a.b","value":{"a":DEEP}}],"text":"b","id":"2"}"#, #"{"unknown":DEEP,"id":2}"#,
            #"{"text":"\ud83d ]}\"","id":"2","unknown":DEEP}"#,
        ]
    )
    func deep(_ dialect: AppNetDialect, _ second: String) async throws {
        for value in [Self.nested(600), Self.nested(100_000), Self.nested(600, #"{"a":"#, "}")] {
            let page = try await list(Self.page(second.replacingOccurrences(of: "DEEP", with: value)), dialect).page()
            #expect(page.elements.compactMap(\.id) == [3, 1])
            #expect(page.unreadable.count == 1 && page.unreadable.ids == ["2"])
            #expect(page.unreadable.items.first?.reason.contains("deeper than 512 levels") == true)
        }
    }

    @Test("the deepest message that the decoder accepts is on the page, and one that is one level deeper is left out")
    func depth() async throws {
        // The document, the list and the message are three levels.
        for (depth, ids) in [(512 - 3, []), (512 - 2, ["2"])] as [(Int, [String])] {
            let page = try await list(Self.page(#"{"id":"2","unknown":\#(Self.nested(depth))}"#)).page()
            #expect(page.unreadable.ids == ids && page.elements.count == 3 - ids.count)
        }
    }

    @Test("a document that is nested too deep outside of its items is an error, and so is a list of ids")
    func deepDocument() async throws {
        let deep = Self.nested(600)
        let outside = MockTransport { _ in answer("[]", meta: #""code":200,"unknown":\#(deep)"#) }
        let list = try makeClient(outside).messages.list(in: 1)
        let items = MockTransport { _ in answer(Self.page(#"{"id":"2","unknown":\#(deep)}"#)) }
        let client = try makeClient(items)
        let calls: [() async throws -> Void] = [
            { _ = try await list.page() }, { _ = try await client.messages.get([1, 2, 3]) },
        ]
        for call in calls {
            let error = await AppNetError.thrown(by: call)
            #expect(error?.kind == .undecodable)
        }
        let (elements, unreadable) = try await client.messages.readable([1, 2, 3], parameters: GeneralParameters())
        #expect(elements.compactMap(\.id) == [3, 1] && unreadable.ids == ["2"])
    }

    @Test("a token in an invalid value is masked in the reason")
    func secrets() async throws {
        let page = try await list(Self.page(#"{"id":"2","is_deleted":"secret-token-1234"}"#)).page()
        #expect(page.unreadable.ids == ["2"] && !"\(page.unreadable.items)".contains("secret-token"))
    }

    @Test("a page of which no item can be decoded names the items, and an iteration continues after it")
    func onlyUnreadable() async throws {
        let transport = MockTransport { request in
            request.url.target.contains("before_id=3")
                ? answer(#"[{"id":"2","text":"b"}]"#, meta: #""code":200,"min_id":"2","max_id":"2","more":false"#)
                : answer(#"[{"id":"3","text":{}}]"#, meta: #""code":200,"min_id":"3","max_id":"3","more":true"#)
        }
        let list = try makeClient(transport).messages.list(in: 1)
        let page = try await list.page()
        #expect(page.elements.isEmpty && page.unreadable.ids == ["3"] && page.hasMore)
        var texts: [String?] = []
        for try await message in list { texts.append(message.text) }
        #expect(texts == ["b"])
    }

    @Test(
        "a page of which no item can be decoded and none has an id is an error",
        arguments: ["[5]", #"[{"text":{}},5]"#, #"[{"id":null,"text":{}}]"#, #"{"id":"2"}"#]
    )
    func none(_ data: String) async throws {
        let list = try list(data)
        let error = await AppNetError.thrown { _ = try await list.page() }
        #expect(error?.kind == .undecodable)
        let empty = try await self.list("[]").page()
        #expect(empty.elements.isEmpty && empty.unreadable.isEmpty)
    }

    @Test("messages by id are an error if one cannot be decoded, because a missing message counts as deleted")
    func byID() async throws {
        let transport = MockTransport { _ in answer(Self.page(#"{"id":"2","text":{}}"#)) }
        let client = try makeClient(transport)
        let error = await AppNetError.thrown { _ = try await client.messages.get([1, 2, 3]) }
        #expect(error?.kind == .undecodable)
        let (elements, unreadable) = try await client.messages.readable([1, 2, 3], parameters: GeneralParameters())
        #expect(elements.compactMap(\.id) == [3, 1] && unreadable.ids == ["2"])
    }

    @Test("a frame of a stream with half an emoji is read")
    func frames() throws {
        let frame = Data(#"{"meta":{"type":"message"},"data":{"id":"1","text":"a\ud83d"}}"#.utf8)
        let event = try StreamEvent(frame: frame, dialect: .appNet)
        guard case .messages(let messages) = event.subject else {
            Issue.record("\(event)")
            return
        }
        #expect(messages.map(\.text) == ["a\u{FFFD}"])
        #expect(try EventFrame(frame, dialect: .appNet).event(of: Message.self).values.map(\.text) == ["a\u{FFFD}"])
    }
}
