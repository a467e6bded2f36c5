import Foundation
import HeliumJSON
import TestSupport
import Testing

/// The samples of doc comments, run.
@Suite("Samples: doc comments of HeliumJSON", .timeLimit(.minutes(5)))
struct CommentSamples {
    private struct Page: Encodable { var id: Int }
    private struct Show: Decodable { var title: String }

    @Test("sample in HeliumJSON's doc comments: a rule for dates")
    func dates() throws {
        // sample
        var decoder = HeliumJSONDecoder()
        decoder.dateDecodingStrategy = .rules([.rfc3339, .epochMilliseconds])
        // end of sample
        #expect(try decoder.decode([Date].self, from: "[1500]") == [Date(timeIntervalSince1970: 1.5)])
    }

    @Test("sample in HeliumJSON's doc comments: encoding")
    func encoding() throws {
        let page = Page(id: 7)
        // sample
        let data = try HeliumJSONEncoder().encode(page)
        // end of sample
        #expect(data == Data(#"{"id":7}"#.utf8))
    }

    @Test("sample in HeliumJSON's doc comments: an object")
    func object() {
        let print = Printer()
        // sample
        var user: JSONObject = ["name": "mira", "followers": 12]
        user["followers"] = 13
        for (name, value) in user { print(name, value) }
        // end of sample
        #expect(print.output == [#"name "mira""#, "followers 13"])
    }

    @Test("sample in HeliumJSON's doc comments: a value")
    func value() {
        let print = Printer()
        // sample
        var message: JSONValue = ["id": "12", "user": ["name": "mira"], "pins": [1, 2.5, nil]]
        print(message["user", "name"]?.stringValue ?? "")  // mira
        message["user", "locale"] = "de_DE"
        // end of sample
        #expect(print.output == ["mira"] && message["user"] == ["name": "mira", "locale": "de_DE"])
    }

    @Test("sample in HeliumJSON's doc comments: elements that arrive")
    func elements() async throws {
        let chunks = AsyncStream<Data> { continuation in
            for text in [#"{"data":[{"title":"Te"#, #"a"},{"title":"Milk"}]}"#] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let print = Printer()
        // sample
        for try await show in HeliumJSONDecoder().elements(of: Show.self, at: ["data"], in: chunks) {
            print(show.title)
        }
        // end of sample
        #expect(print.output == ["Tea", "Milk"])
    }
}
