import Foundation
import HeliumJSON
import Testing

/// A `Decodable` that does with its decoder what a test tells, and keeps what came of each step.
struct Script: Decodable, Equatable {
    typealias Steps = @Sendable (any Decoder, inout Recorder) throws -> Void

    let results: [Outcome<String>]

    static func == (left: Script, right: Script) -> Bool {
        left.results.elementsEqual(right.results) { $0.isSame(as: $1, comparing: .all) }
    }

    init(from decoder: any Decoder) throws {
        var recorder = Recorder()
        if let key = Self.key, let steps = decoder.userInfo[key] as? Steps { try steps(decoder, &recorder) }
        results = recorder.results
    }

    static let key = CodingUserInfoKey(rawValue: "script")

    struct Recorder {
        fileprivate(set) var results: [Outcome<String>] = []

        /// Keeps the value or the error.
        mutating func step<Value>(_ body: () throws -> Value) {
            results.append(Outcome { "\(try body())" })
        }

        mutating func path(_ path: [any CodingKey]) { step { path.map { Failure.step($0) } } }
    }
}

extension SideBySide {
    /// Runs the same steps with both decoders; records an issue unless all come out the same.
    @discardableResult
    func expectSameSteps(
        _ document: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ steps: @escaping Script.Steps
    ) -> [Outcome<String>] {
        var both = self
        if let key = Script.key {
            both.helium.userInfo[key] = steps
            both.foundation.userInfo[key] = steps
        }
        let (helium, foundation) = both.outcomes(Script.self, document.utf8)
        guard let results = helium.value?.results, let others = foundation.value?.results else {
            #expect(
                helium.failure == foundation.failure,
                "\(helium), Foundation: \(foundation)",
                sourceLocation: sourceLocation
            )
            return []
        }
        #expect(!results.isEmpty && results.count == others.count, sourceLocation: sourceLocation)
        for (number, (result, other)) in zip(results, others).enumerated() {
            #expect(
                result.isSame(as: other, comparing: .all),
                "step \(number) of \(document.prefix(60)): \(result), Foundation: \(other)",
                sourceLocation: sourceLocation
            )
        }
        return results
    }
}

/// A key of any name or number.
struct AnyKey: CodingKey, Hashable, ExpressibleByStringLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    init(stringLiteral value: String) { self.init(stringValue: value) }
}

/// A key of any name, and no number.
struct NameKey: CodingKey, Hashable, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    init(stringLiteral value: String) { self.init(stringValue: value) }
}
