import Foundation
import HeliumJSON
import Testing

/// Our decoder and Foundation's, set up alike.
struct SideBySide {
    var helium = HeliumJSONDecoder()
    let foundation = JSONDecoder()

    /// Both with Foundation's default strategies.
    init() { helium.dateDecodingStrategy = .deferredToDate }

    init(_ setUp: (inout HeliumJSONDecoder, JSONDecoder) -> Void) {
        self.init()
        setUp(&helium, foundation)
    }

    func outcomes<Value: Decodable>(
        _ type: Value.Type,
        _ document: some Sequence<UInt8>
    ) -> (helium: Outcome<Value>, foundation: Outcome<Value>) {
        let data = Data(document)
        return (Outcome { try helium.decode(type, from: data) }, Outcome { try foundation.decode(type, from: data) })
    }

    /// Records an issue unless both read the same value, or both fail at the same place for the same reason.
    @discardableResult
    func expectSame<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ document: String,
        comparing errors: ErrorDetail = .all,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Outcome<Value> {
        let (helium, foundation) = outcomes(type, document.utf8)
        #expect(
            helium.isSame(as: foundation, comparing: errors),
            "\(document.prefix(200)) as \(type): \(helium), Foundation: \(foundation)",
            sourceLocation: sourceLocation
        )
        return helium
    }
}

extension SideBySide {
    /// Records an issue if both read different values; one may refuse what the other reads.
    @discardableResult
    func expectNoOtherValue<Value: Decodable & Equatable>(
        _ type: Value.Type,
        _ document: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Outcome<Value> {
        let (helium, foundation) = outcomes(type, document.utf8)
        if let value = helium.value, let other = foundation.value {
            #expect(value == other, "\(document.prefix(200)) as \(type)", sourceLocation: sourceLocation)
        }
        return helium
    }
}

/// The parts of two errors that must be equal.
enum ErrorDetail {
    /// Nothing: that there is one.
    case presence
    /// The case of `DecodingError` too.
    case kind
    /// The coding path too.
    case all
}

/// The result of decoding.
enum Outcome<Value>: CustomStringConvertible {
    case value(Value)
    case failure(Failure)

    init(_ decode: () throws -> Value) {
        do {
            self = .value(try decode())
        } catch {
            self = .failure(Failure(error))
        }
    }

    var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    var failure: Failure? {
        if case .failure(let failure) = self { return failure }
        return nil
    }

    var description: String {
        switch self {
        case .value(let value): "\(value)"
        case .failure(let failure): "\(failure)"
        }
    }
}

extension Outcome where Value: Equatable {
    func isSame(as other: Outcome, comparing errors: ErrorDetail) -> Bool {
        switch (self, other) {
        case (.value(let value), .value(let other)): value == other
        case (.failure(let failure), .failure(let other)):
            switch errors {
            case .presence: true
            case .kind: failure.kind == other.kind
            case .all: failure.isSame(as: other)
            }
        default: false
        }
    }
}

/// An error as far as two decoders must agree on it.
struct Failure: Equatable, CustomStringConvertible {
    let kind: String
    let path: [String]

    private let isAboutBool: Bool

    private init(kind: String, path: [String], isAboutBool: Bool = false) {
        self.isAboutBool = isAboutBool
        self.kind = kind
        self.path = path
    }

    init(_ error: any Error) {
        switch error {
        case DecodingError.typeMismatch(let type, let context): self.init("typeMismatch", context, type)
        case DecodingError.valueNotFound(let type, let context): self.init("valueNotFound", context, type)
        case DecodingError.keyNotFound(let key, let context): self.init("keyNotFound \(key.stringValue)", context)
        case DecodingError.dataCorrupted(let context): self.init("dataCorrupted", context)
        default:
            // What Foundation's decoder makes `dataCorrupted` of only when it lets go of it.
            let isNumber = "\(error)".hasPrefix("numberIsNotRepresentableInSwift")
            self.init(kind: isNumber ? "dataCorrupted" : "\(error)", path: [])
        }
    }

    private init(_ kind: String, _ context: DecodingError.Context, _ type: Any.Type? = nil) {
        self.init(kind: kind, path: context.codingPath.map { Self.step($0) }, isAboutBool: type == Bool.self)
    }

    /// Returns whether Foundation's decoder reports the same failure. It reports no path or a shorter one for numbers
    /// and dates that don't fit, and it takes null for a value of the wrong type where a Boolean is expected.
    func isSame(as foundation: Failure) -> Bool {
        if self == foundation { return true }
        switch (kind, foundation.kind) {
        case ("dataCorrupted", "dataCorrupted"): return path.starts(with: foundation.path)
        case ("valueNotFound", "typeMismatch"): return isAboutBool && foundation.isAboutBool && path == foundation.path
        default: return false
        }
    }

    static func step(_ key: any CodingKey) -> String {
        key.intValue.map { "\(key.stringValue)#\($0)" } ?? key.stringValue
    }

    var description: String { "\(kind) at \(path)" }
}
