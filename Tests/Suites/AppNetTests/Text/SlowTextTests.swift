import Foundation
import HeliumCore
import HeliumJSON
import Testing

@testable import AppNet

/// Swift compares and hashes strings by canonical equivalence, whose cost grows with the square of a run of combining marks.
@Suite("Texts of App.net that are slow to compare", .timeLimit(.minutes(5)))
struct SlowTextTests {
    /// A text for which one comparison as a `String` takes minutes.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)

    @Test("the templates of a large text and its many entities are translated in one pass")
    func templates() throws {
        let links = String(repeating: "http://a/{object_id} ", count: 50_000)
        let mention: JSONValue = ["name": "bob", "pos": .number(JSONNumber(21 * 50_000)), "len": 4]
        let entities: JSONValue = ["mentions": .array(Array(repeating: mention, count: 50_000))]
        let value: JSONValue = ["content": ["text": .string(links + "@bob"), "entities": entities]]
        let form = try PnutMembers.appNetForm(of: value, as: Post.self)
        #expect(form["entities", "mentions", 49_999, "pos"] == .number(JSONNumber(19 * 50_000)))
    }

    @Test("a slug that is slow to compare is unknown, in the body and in the meta data")
    func slug() throws {
        let failure = HeliumError(
            .unacceptableStatus,
            request: RequestSummary(method: .get, url: "https://adn.test/"),
            delivery: .answered,
            message: "status 400"
        )
        let fault = try #require(ResponseErrorDetails(ResponseMeta(code: 400, errorSlug: Self.marks)))
        let error = AppNetError(failure, call: nil, secrets: [], details: fault)
        #expect(error.kind == .badRequest && error.slug != nil)
    }

    @Test("a scope that is slow to compare is not one of a token's scopes")
    func scopes() { #expect(AuthScope.list("\(Self.marks),messages \(Self.marks)") == [.messages]) }

    @Test("a kind of event that is slow to compare is unknown")
    func kind() {
        let event = StreamEvent(subject: .other(nil), meta: ResponseMeta(type: Self.marks))
        #expect(event.kind != .post && event.meta.type?.isSlowToCompare == true)
    }

    @Test("a host that is slow to compare differs from that of the link")
    func host() { #expect(LinkHost.warning(anchor: Self.marks, url: "http://example.com") == " [example.com]") }

    @Test("a text that is slow to compare is neither the state of a sign-in nor a member of its response")
    func signIn() throws {
        let signIn = try WebSignIn(clientID: "c", redirectURI: "app://a", scopes: [], state: "s", dialect: .pnut)
        let text = "app://a?\(Self.marks)=1&\(Self.marks)=2&code=3&state=\(Self.marks)"
        let url = try #require(URL(string: text))
        let error = #expect(throws: AppNetError.self) { try signIn.code(from: url) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test("a type that is slow to compare finds no annotation")
    func annotations() throws {
        let annotations = [Annotation(type: Self.marks, value: [:]), try Annotation(TextLanguage(language: "en"))]
        #expect(annotations.ofType("a").isEmpty)
        #expect(try annotations.first(of: TextLanguage.self)?.language == "en")
        #expect(annotations.all(of: TextLanguage.self).count == 1)
        try AnnotationRules.validate(annotations, on: .post, maximumBytes: .max)
    }

    @Test("a text that is slow to compare makes a changed value different, and an equal one equal")
    func states() {
        var items = DeliveredItems<AppNetUser>(limit: 10, traits: StreamItemTraits())
        #expect(items.take(AppNetUser(id: 1, username: Self.marks)) != nil)
        #expect(items.take(AppNetUser(id: 1, username: Self.marks)) == nil)
        // The same marks in another order are the same text for Swift, which takes minutes to find out.
        let other = "a" + String(repeating: "\u{316}\u{301}", count: 400_000)
        #expect(items.take(AppNetUser(id: 1, username: other)) != nil)
    }

    @Test("a text that is slow to compare is not a flag")
    func flag() throws {
        let document = Data(#"{"id":"1","is_deleted":"\#(Self.marks)"}"#.utf8)
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Message.self, from: document) }
    }
}
