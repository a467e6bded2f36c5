import Foundation
import HeliumCore
import Testing

@testable import AppNet

/// Swift compares and hashes strings by canonical equivalence, whose cost grows with the square of a run of combining marks.
@Suite("Text of the service that is slow to compare", .timeLimit(.minutes(1)))
struct SlowTextTests {
    /// A text for which one comparison as a `String` takes minutes.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)

    @Test("is no known slug, whether the body or its meta says it")
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

    @Test("is no scope of a token")
    func scopes() { #expect(AuthScope.list("\(Self.marks),messages \(Self.marks)") == [.messages]) }

    @Test("is no kind of event")
    func kind() {
        let event = StreamEvent(subject: .other(nil), meta: ResponseMeta(type: Self.marks))
        #expect(event.kind != .post && event.meta.type?.isSlowToCompare == true)
    }

    @Test("is another host than the link's")
    func host() { #expect(LinkHost.warning(anchor: Self.marks, url: "http://example.com") == " [example.com]") }

    @Test("is not the state of a sign-in, and no member of its answer")
    func signIn() throws {
        let signIn = try WebSignIn(clientID: "c", redirectURI: "app://a", scopes: [], state: "s", dialect: .pnut)
        let text = "app://a?\(Self.marks)=1&\(Self.marks)=2&code=3&state=\(Self.marks)"
        let url = try #require(URL(string: text))
        let error = #expect(throws: AppNetError.self) { try signIn.code(from: url) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test("is the type of no annotation that is looked for")
    func annotations() throws {
        let annotations = [Annotation(type: Self.marks, value: [:]), try Annotation(TextLanguage(language: "en"))]
        #expect(annotations.ofType("a").isEmpty)
        #expect(try annotations.first(of: TextLanguage.self)?.language == "en")
        #expect(annotations.all(of: TextLanguage.self).count == 1)
        try AnnotationRules.validate(annotations, on: .post, maximumBytes: .max)
    }

    @Test("makes another state of a value, and the same text makes none")
    func states() {
        var items = DeliveredItems<AppNetUser>(limit: 10)
        #expect(items.take(AppNetUser(id: 1, username: Self.marks)) != nil)
        #expect(items.take(AppNetUser(id: 1, username: Self.marks)) == nil)
        // The same marks in another order are the same text for Swift, which takes minutes to find out.
        let other = "a" + String(repeating: "\u{316}\u{301}", count: 400_000)
        #expect(items.take(AppNetUser(id: 1, username: other)) != nil)
    }

    @Test("is no flag")
    func flag() throws {
        let document = Data(#"{"id":"1","is_deleted":"\#(Self.marks)"}"#.utf8)
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Message.self, from: document) }
    }
}
