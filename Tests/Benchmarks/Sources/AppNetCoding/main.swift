import AppNet
import BenchmarkHarness
import DecodingHarness
import Foundation
import HeliumJSON

/// An answer of App.net's own types.
struct Answer: Codable, Equatable {
    var meta: ResponseMeta
    var data: [Message]
}

/// A value that is parsed and not looked at.
struct Unread: Decodable {
    init(from decoder: any Decoder) {}
}

let rounds = 9
let page = Data(Documents.page.utf8)
let decoding = DecodingComparison()
let helium = decoding.helium
guard try helium.decode(Answer.self, from: page) == JSONDecoder().decode(Answer.self, from: page) else {
    throw DifferentValues(document: "appnet-page")
}
let results = try decoding.run(
    PlainAnswer.self,
    group: "appnet-page",
    Documents.page,
    rounds: rounds,
    [
        ("HeliumJSONDecoder, AppNet's types", { try repeating($0) { _ = try helium.decode(Answer.self, from: page) } }),
        ("HeliumJSONDecoder, parsing only", { try repeating($0) { _ = try helium.decode(Unread.self, from: page) } }),
        (
            "JSONDecoder, AppNet's types",
            { try repeating($0) { _ = try JSONDecoder().decode(Answer.self, from: page) } }
        ),
    ]
)
print(results.json)
