import BenchmarkHarness
import Foundation
import HeliumJSON

/// `HeliumJSONDecoder` against Foundation's `JSONDecoder`, over the same types and documents.
struct DecodingComparison {
    private let foundation: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    private let helium = HeliumJSONDecoder()

    /// Measures a document; throws if the two make different values of it.
    func run<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ name: String,
        _ document: String,
        rounds: Int,
        _ more: [(name: String, run: Alternation.Operation)] = []
    ) throws -> [OperationResult] {
        let data = Data(document.utf8)
        guard try foundation.decode(type, from: data) == helium.decode(type, from: data) else {
            throw DifferentValues(document: name)
        }
        var alternation = Alternation(
            [
                ("JSONDecoder", { try repeating($0) { _ = try foundation.decode(type, from: data) } }),
                ("HeliumJSONDecoder", { try repeating($0) { _ = try helium.decode(type, from: data) } }),
            ] + more
        )
        return try alternation.run(group: "json-\(name)", bytes: data.count, rounds: rounds)
    }

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
            "page",
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

    private func repeating(_ count: Int, _ body: () throws -> Void) rethrows -> UInt64 {
        for _ in 0..<count { try body() }
        return UInt64(count)
    }
}

/// The two decoders disagree.
struct DifferentValues: Error {
    var document: String
}
