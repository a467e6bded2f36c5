import AppNet
import Foundation
import HeliumJSON
import TestSupport
import Testing

/// The documents of `../shared/data/appnet`, where the machine has them, and those of `Fixtures/appnet`.
@Suite("Sample documents of App.net")
struct SharedDocumentTests {
    private static let isThere = !SharedDocuments.data("appnet").isEmpty

    @Test(
        "each document of the real App.net has a name that tells its kind",
        .enabled(if: isThere, "no ../shared and no HELIUM_SHARED")
    )
    func known() {
        let names = SharedDocuments.data("appnet").map(\.name).filter { name in
            name.hasSuffix(".json") && !["manifest.json", "entities-corpus.json"].contains(name)
                && !name.hasPrefix("auth.")
        }
        #expect(AppNetSample.shared.map(\.document.name) == names)
    }

    @Test(
        "a document of the real App.net is decoded without an unknown member, and encoded without a loss",
        .enabled(if: isThere, "no ../shared and no HELIUM_SHARED"),
        arguments: AppNetSample.shared
    )
    func shared(_ sample: AppNetSample) throws { try check(sample) }

    @Test(
        "a document of Fixtures/appnet is decoded without an unknown member, and encoded without a loss",
        arguments: AppNetSample.fixtures
    )
    func fixture(_ sample: AppNetSample) throws { try check(sample) }

    private func check(_ sample: AppNetSample) throws {
        let document = try sample.kind.read(sample.document.contents, shape: sample.shape)
        #expect(document.unknownMembers == [])
        #expect(try sample.kind.read(document.value.data(), shape: sample.shape) == document)
        // Nothing is invented and nothing lost.
        #expect(Self.normal(document.value) == Self.normal(try JSONValue(parsing: sample.document.contents)))
    }

    /// A document without what may be written in two ways: `null` for what is absent, a flag as a text, an id as a number.
    private static func normal(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(normal))
        case .object(let object):
            let members = object.filter { !$0.value.isNull }.map { name, value in
                switch name {
                case "deleted": (name, JSONValue.bool(value == "1" || value == true))
                case "destinations": (name, JSONValue.array((value.arrayValue ?? []).map(idText)))
                default: (name, normal(value))
                }
            }
            return .object(JSONObject(members))
        default: return value
        }
    }

    @Test(
        "documents of messages are the same with any decoder",
        arguments: AppNetSample.fixtures.filter { $0.kind.name == "appnet.message" }
    )
    func otherDecoders(_ sample: AppNetSample) throws {
        guard sample.shape == [.envelope, .list] else { return }
        let fast = try HeliumJSONDecoder().decode(Envelope<[Message]>.self, from: sample.document.contents)
        let foundation = try JSONDecoder().decode(Envelope<[Message]>.self, from: sample.document.contents)
        var plain = HeliumJSONDecoder()
        plain.keyDecodingStrategy = .custom { path in path[path.count - 1] }
        #expect(foundation == fast)
        #expect(try plain.decode(Envelope<[Message]>.self, from: sample.document.contents) == fast)
        #expect(try JSONDecoder().decode(Envelope<[Message]>.self, from: JSONEncoder().encode(fast)) == fast)
    }

    private static func idText(_ value: JSONValue) -> JSONValue { value.intValue.map { .string("\($0)") } ?? value }

    @Test("an invalid document is an error with path and position")
    func refusal() throws {
        let kind = try #require(AppNetDocumentKind(named: "appnet.message"))
        let document = Data("{\"data\":[\n{\"id\":\"1\",\"user\":{\"created_at\":\"soon\"}}]}".utf8)
        let error = #expect(throws: AppNetDocumentError.self) {
            try kind.read(document, shape: [.envelope, .list])
        }
        #expect(error?.path == "data[0].user.created_at")
        #expect(error?.line == 2)
        #expect(error?.reason.contains("\"soon\" is not a date") == true)
    }

    @Test("unknown members of a document are listed with their paths, except those in annotations")
    func unknownMembers() throws {
        let kind = try #require(AppNetDocumentKind(named: "appnet.message"))
        let document = """
            {"meta":{"code":200,"mood":1},"data":[{"id":"1","user":{"id":"2","hat":true},"colour":"red",\
            "annotations":[{"type":"com.example.x","value":{"anything":{"goes":1}}}],"entities":{"links":[{"a":1}]}}]}
            """
        let read = try kind.read(Data(document.utf8), shape: [.envelope, .list])
        #expect(
            Set(read.unknownMembers)
                == ["meta.mood", "data[0].colour", "data[0].user.hat", "data[0].entities.links[0].a"]
        )
        #expect(read.value == (try JSONValue(parsing: document)))
    }

    @Test("ids as numbers, flags as texts and dates with an offset are decoded")
    func leniency() throws {
        let text = """
            {"id":169231,"deleted":"1","machine_only":0,"created_at":"2012-12-31T14:22:55+01:00","num_stars":"7",\
            "text":null,"reply_to":"12"}
            """
        let post = try HeliumJSONDecoder().decode(Post.self, from: text)
        #expect(post.id == 169_231)
        #expect(post.deleted == true)
        #expect(post.isMachineOnly == false)
        #expect(post.createdAt == Date(timeIntervalSince1970: 1_356_960_175))
        #expect(post.starCount == 7)
        #expect(post.text == nil)
        #expect(
            try HeliumJSONEncoder().encodeToString(post)
                == """
                {"id":"169231","created_at":"2012-12-31T13:22:55Z","reply_to":"12","num_stars":7,"machine_only":false,\
                "deleted":true}
                """
        )
        #expect(try JSONDecoder().decode(Post.self, from: Data(text.utf8)) == post)
    }

    @Test(
        "an invalid value in a document is a typed error",
        arguments: [
            #"{"num_stars":1.5}"#, #"{"num_stars":99999999999999999999}"#, #"{"created_at":12}"#, #"{"id":{}}"#,
            #"{"id":true,"text":[]}"#, #"{"machine_only":"maybe"}"#, #"{"user":"alice"}"#, "[]", "1",
            #"{"user":{"counts":[]}}"#,
        ]
    )
    func wrong(_ text: String) {
        #expect(throws: DecodingError.self) { try HeliumJSONDecoder().decode(Post.self, from: text) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Post.self, from: Data(text.utf8)) }
    }
}
