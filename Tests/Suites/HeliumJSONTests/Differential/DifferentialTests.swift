import Foundation
import HeliumJSON
import TestSupport
import Testing

/// Random types, random documents, equal strategies: equal values, or errors of one kind at one place.
@Suite("Differences from Foundation's decoder")
struct DifferentialTests {
    @Test("documents of random types are decoded as by Foundation", .tags(.random))
    func random() {
        var random = ProofLength.random(seed: 0)
        var tally = Tally()
        for _ in ProofLength.rounds(40) {
            let type = SampleTypes.random(depth: 1 + random.below(3), &random)
            let style = DocumentWriter.Style(&random)
            let decoders = SideBySide(style)
            for _ in 0..<50 { compare(type, style, decoders, seed: random.next(), &tally) }
        }
        // It is neither all errors nor none, with the inputs of `make test`.
        guard ProofLength.seed == nil else { return }
        #expect(tally.values > tally.cases * 2 / 5)
        #expect(tally.failures > tally.cases * 2 / 25)
    }

    struct Tally {
        var cases = 0
        var values = 0
        var failures = 0
        var issues = 0
    }

    private func compare<Value: Sample>(
        _ type: Value.Type,
        _ style: DocumentWriter.Style,
        _ decoders: SideBySide,
        seed: UInt64,
        _ tally: inout Tally
    ) {
        var writer = DocumentWriter(style: style, seed: seed)
        writer.value { type.write(&$0) }
        let (helium, foundation) = decoders.outcomes(type, writer.text.utf8)
        tally.cases += 1
        let isSame: Bool
        switch (helium, foundation) {
        case (.value(let value), .value(let other)):
            tally.values += 1
            isSame = value.isSame(as: other)
        case (.failure(let failure), .failure(let other)):
            tally.failures += 1
            isSame = !type.isOrdered || failure.isSame(as: other) || isDateOfOtherType(failure, other, style)
        default:
            isSame = false
        }
        guard !isSame else { return }
        tally.issues += 1
        if tally.issues <= 5 {
            Issue.record("\(writer.text) as \(type) (\(style)): \(helium), Foundation: \(foundation)")
        }
    }

    /// Rules for dates look at strings and numbers alike: what is neither's date is corrupted, not of another type.
    private func isDateOfOtherType(_ failure: Failure, _ other: Failure, _ style: DocumentWriter.Style) -> Bool {
        style.dates != .reference && failure.kind == "dataCorrupted" && other.kind == "typeMismatch"
            && failure.path == other.path
    }
}

extension SideBySide {
    init(_ style: DocumentWriter.Style) {
        self.init { helium, foundation in
            switch style.dates {
            case .reference: break
            case .seconds:
                helium.dateDecodingStrategy = .secondsSince1970
                foundation.dateDecodingStrategy = .secondsSince1970
            case .milliseconds:
                helium.dateDecodingStrategy = .millisecondsSince1970
                foundation.dateDecodingStrategy = .millisecondsSince1970
            case .iso8601:
                helium.dateDecodingStrategy = .iso8601
                foundation.dateDecodingStrategy = .iso8601
            }
            if style.usesSnakeCase {
                helium.keyDecodingStrategy = .convertFromSnakeCase
                foundation.keyDecodingStrategy = .convertFromSnakeCase
            }
            if style.usesByteArrays {
                helium.dataDecodingStrategy = .deferredToData
                foundation.dataDecodingStrategy = .deferredToData
            }
            if style.namesInfinities {
                helium.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf",
                    negativeInfinity: "-inf",
                    nan: "nan"
                )
                foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf",
                    negativeInfinity: "-inf",
                    nan: "nan"
                )
            }
        }
    }
}

/// Types put together at random, when the program runs.
enum SampleTypes {
    private static var scalars: [any Sample.Type] {
        [
            Bool.self, String.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self,
            Int64.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Decimal.self,
            Date.self,
            Date.self, Data.self, URL.self, UUID.self, Color.self, Level.self, Scalars.self,
        ]
    }

    static func random(depth: Int, _ random: inout SeededRandom) -> any Sample.Type {
        if depth == 0 { return random.pick(scalars) }
        let a = Self.random(depth: depth - 1, &random)
        let b = Self.random(depth: random.below(depth), &random)
        return switch random.below(15) {
        case 0: optional(a)
        case 1: array(a)
        case 2: dictionary(a)
        case 3: numbered(a)
        case 4: lossy(a)
        case 5: raw(a)
        case 6: shape(a, b)
        case 7: backwards(a, b)
        case 8: tuple(a, b)
        // See ``Dictionary/write(_:)``.
        case 9 where a.isOrdered: either(a, b)
        case 10: child(a, b)
        case 11: record(a, b)
        default: pair(a, b)
        }
    }

    private static func optional<A: Sample>(_: A.Type) -> any Sample.Type { A?.self }
    private static func array<A: Sample>(_: A.Type) -> any Sample.Type { [A].self }
    private static func dictionary<A: Sample>(_: A.Type) -> any Sample.Type { [String: A].self }
    private static func numbered<A: Sample>(_: A.Type) -> any Sample.Type { [Int: A].self }
    private static func lossy<A: Sample>(_: A.Type) -> any Sample.Type { Lossy<A>.self }
    private static func raw<A: Sample>(_: A.Type) -> any Sample.Type { Raw<A>.self }
    private static func pair<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type { Pair<A, B>.self }
    private static func shape<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type { Shape<A, B>.self }
    private static func tuple<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type { Tuple<A, B>.self }
    private static func either<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type { Either<A, B>.self }
    private static func child<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type { Child<A, B>.self }
    private static func backwards<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type {
        Backwards<A, B>.self
    }
    private static func record<A: Sample, B: Sample>(_: A.Type, _: B.Type) -> any Sample.Type {
        Record<A, B, Scalars>.self
    }
}
