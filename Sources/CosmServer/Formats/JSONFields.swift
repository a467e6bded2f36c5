internal import Foundation
internal import HeliumJSON
internal import HeliumServerKit

/// Reads members of a request's object with the leniency that the original clients need (Docs/Protocols/Cosm.md §3.3,
/// §10). Numbers and texts are interchangeable, `null` means absent, and an empty text deletes a value.
struct JSONFields {
    let object: JSONObject

    /// The limits of documents in requests. Each datastream has up to 20 values, and each point up to 6.
    static let limits = JSONLimits(maximumDepth: 32, maximumValues: 100_000)

    /// Creates the fields of a whole body.
    ///
    /// - Throws: ``CosmFailure`` with 400 if it is not an object.
    static func body(_ value: JSONValue) throws(CosmFailure) -> Self {
        guard case .object(let object) = value else {
            throw .unreadable(.json, "JSON doesn't appear to be a hash")
        }
        return Self(object: object)
    }

    /// Parses a body.
    static func parse(_ bytes: [UInt8]) throws(CosmFailure) -> JSONValue {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, limits: Self.limits)
        } catch let error as DecodingError {
            let place = error.jsonLocation.map { " at \($0)" } ?? ""
            throw .unreadable(.json, (error.jsonReason ?? "the document is not JSON") + place)
        } catch {
            throw .unreadable(.json, "the document is not JSON")
        }
        if let fault = value.textFault { throw .unusable(fault, .json) }
        return value
    }

    /// Returns a member that is present and not `null`.
    func value(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// Returns the text of a member. Numbers and Booleans are converted.
    func text(_ name: String) throws(CosmFailure) -> String? {
        guard let value = value(name) else { return nil }
        switch value {
        case .string(let text): return text
        case .number(let number): return NumericText.shortest(number)
        case .bool(let bool): return bool ? "true" : "false"
        default: throw .unreadable(.json, "\(name) is neither text nor a number")
        }
    }

    func textChange(_ name: String) throws(CosmFailure) -> Change<String> {
        guard let text = try text(name) else { return .unchanged }
        return text.isEmpty ? .cleared : .set(text)
    }

    func numberChange(_ name: String) throws(CosmFailure) -> Change<Double> {
        guard let text = try text(name) else { return .unchanged }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if trimmed.isEmpty { return .cleared }
        guard let number = NumericText.number(trimmed) else { throw .invalid("\(name) is not a number") }
        return .set(number)
    }

    func boolean(_ name: String) throws(CosmFailure) -> Bool? {
        guard let text = try text(name)?.lowercased(), !text.isEmpty else { return nil }
        switch text {
        case "true", "1": return true
        case "false", "0": return false
        default: throw .invalid("\(name) is neither true nor false")
        }
    }

    /// Returns a whole number, which may be written as a text.
    func integer(_ name: String) throws(CosmFailure) -> Int? {
        guard let value = value(name), value != .string("") else { return nil }
        let text = value.stringValue?.trimmingCharacters(in: .whitespaces)
        guard let number = value.intValue ?? text.flatMap({ Int($0) }) else {
            throw .invalid("\(name) is not a whole number")
        }
        return number
    }

    /// Returns a timestamp; `nil` if the member is absent or empty.
    func stamp(_ name: String) throws(CosmFailure) -> ServerInstant? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue?.trimmingCharacters(in: .whitespacesAndNewlines) else {
            throw .invalidStamp(.json)
        }
        if text.isEmpty { return nil }
        guard let instant = ServerInstant(text) else { throw .invalidStamp(.json) }
        return instant
    }

    func array(_ name: String) throws(CosmFailure) -> [JSONValue]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else { throw .unreadable(.json, "\(name) is not an array") }
        return elements
    }

    /// Returns an object. Some clients write an empty one as `[]` or `""`.
    func fields(_ name: String) throws(CosmFailure) -> Self? {
        guard let value = value(name), value != .array([]), value != .string("") else { return nil }
        guard let object = value.objectValue else { throw .unreadable(.json, "\(name) is not a hash") }
        return Self(object: object)
    }

    /// Returns tags from an array or a comma-joined string.
    func tags(_ name: String) throws(CosmFailure) -> Change<[String]> {
        guard let value = value(name) else { return .unchanged }
        let tags: [String]
        switch value {
        case .string(let text): tags = TagList.split(text)
        case .array(let elements):
            var read: [String] = []
            for element in elements {
                switch element {
                case .string(let text): read.append(text)
                case .number(let number): read.append(NumericText.shortest(number))
                case .null: break
                default: throw .unreadable(.json, "\(name) has an element that is not text")
                }
            }
            tags = read
        default: throw .unreadable(.json, "\(name) is not an array")
        }
        let cleaned = TagList.cleaned(tags)
        return cleaned.isEmpty ? .cleared : .set(cleaned)
    }
}
