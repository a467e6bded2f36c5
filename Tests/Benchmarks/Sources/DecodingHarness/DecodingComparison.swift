public import BenchmarkHarness
internal import Foundation
public import HeliumJSON

/// `HeliumJSONDecoder` against Foundation's `JSONDecoder`, over the same types and documents.
public struct DecodingComparison: Sendable {
    /// Our decoder.
    public let helium = HeliumJSONDecoder()

    private let foundation: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }()

    /// Both decoders, with dates by ISO 8601.
    public init() {}

    /// Measures a document; throws if the two make different values of it.
    public func run<Value: Decodable & Equatable>(
        _ type: Value.Type,
        group: String,
        _ document: String,
        rounds: Int,
        _ more: [(name: String, run: Alternation.Operation)] = []
    ) throws -> [OperationResult] {
        let data = Data(document.utf8)
        guard try foundation.decode(type, from: data) == helium.decode(type, from: data) else {
            throw DifferentValues(document: group)
        }
        var alternation = Alternation(
            [
                ("JSONDecoder", { try repeating($0) { _ = try foundation.decode(type, from: data) } }),
                ("HeliumJSONDecoder", { try repeating($0) { _ = try helium.decode(type, from: data) } }),
            ] + more
        )
        return try alternation.run(group: group, bytes: data.count, rounds: rounds)
    }
}

/// Runs `body` so many times.
public func repeating(_ count: Int, _ body: () throws -> Void) rethrows -> UInt64 {
    for _ in 0..<count { try body() }
    return UInt64(count)
}

/// Two coders disagree.
public struct DifferentValues: Error {
    /// About which document.
    public var document: String

    /// About `document`.
    public init(document: String) { self.document = document }
}
