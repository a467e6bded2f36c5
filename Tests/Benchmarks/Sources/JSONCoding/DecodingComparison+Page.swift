import BenchmarkHarness
import DecodingHarness
import Foundation
import HeliumJSON

extension DecodingComparison {
    /// The page, and what else can be done with it.
    func page(rounds: Int) throws -> [OperationResult] {
        let data = Data(Documents.page.utf8)
        let direct = try helium.decode([DirectMessage].self, from: data)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let plain = try helium.decode([Message].self, from: data)
        guard try encoder.encode(direct) == encoder.encode(plain) else { throw DifferentValues(document: "page") }
        return try run(
            [Message].self,
            group: "json-page",
            Documents.page,
            rounds: rounds,
            [
                (
                    "HeliumJSONDecoder, JSONReadable",
                    { try repeating($0) { _ = try helium.decode([DirectMessage].self, from: data) } }
                ),
                (
                    "HeliumJSONDecoder, parsing only",
                    { try repeating($0) { _ = try helium.decode(Unread.self, from: data) } }
                ),
            ]
        )
    }
}
