import BenchmarkHarness
import DecodingHarness
import Foundation
import HeliumJSON

/// `HeliumJSONEncoder` against Foundation's `JSONEncoder`, over the page's values.
struct EncodingComparison {
    /// Measures the page; throws if the two write different documents.
    func page(rounds: Int) throws -> [OperationResult] {
        let messages = try HeliumJSONDecoder().decode([Message].self, from: Data(Documents.page.utf8))
        let foundation = JSONEncoder()
        foundation.dateEncodingStrategy = .iso8601
        var helium = HeliumJSONEncoder()
        helium.dateEncodingStrategy = .iso8601
        let document = try helium.encode(messages)
        guard try JSONValue(parsing: foundation.encode(messages)) == JSONValue(parsing: document) else {
            throw DifferentValues(document: "encoding")
        }
        var alternation = Alternation([
            (
                "JSONEncoder",
                { try (0..<$0).reduce(0) { sum, _ in sum &+ UInt64(try foundation.encode(messages).count) } }
            ),
            (
                "HeliumJSONEncoder",
                { [helium] in try (0..<$0).reduce(0) { sum, _ in sum &+ UInt64(try helium.encode(messages).count) } }
            ),
        ])
        return try alternation.run(group: "json-encoding", bytes: document.count, rounds: rounds)
    }
}
