import Foundation

/// A JSON document as the tests' clients read and write it: with Foundation, so that the server's parser and writer do not
/// check themselves.
package enum TestJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([TestJSON])
    case object([String: TestJSON])

    /// Parses a document.
    package init(parsing bytes: [UInt8]) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    /// Parses a document.
    package init(parsing text: String) throws { try self.init(parsing: Array(text.utf8)) }

    /// The document in a text; `nil` if it is not JSON.
    package static func parse(_ text: String) -> TestJSON? { try? TestJSON(parsing: text) }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let elements as [Any]: self = .array(elements.map { TestJSON($0) })
        case let members as [String: Any]: self = .object(members.mapValues { TestJSON($0) })
        case let number as NSNumber:
            switch String(cString: number.objCType) {
            // Foundation's own type for `true` and `false`.
            case "c", "B": self = .bool(number.boolValue)
            case "d", "f": self = .number(number.doubleValue)
            default: self = .integer(number.int64Value)
            }
        default: self = .null
        }
    }

    /// The document as text, members in the order of their names.
    package var text: String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
        let data = try? JSONSerialization.data(withJSONObject: foundation, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let value): value
        case .array(let elements): elements.map(\.foundation)
        case .object(let members): members.mapValues(\.foundation)
        }
    }
}

extension TestJSON {
    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }

    package var intValue: Int? { integerValue.flatMap { Int(exactly: $0) } }

    package var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }

    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var arrayValue: [TestJSON]? { if case .array(let value) = self { value } else { nil } }

    /// The names of an object's members, sorted.
    package var names: [String]? { if case .object(let members) = self { members.keys.sorted() } else { nil } }

    /// An object's member; setting it to `nil` removes it.
    package subscript(name: String) -> TestJSON? {
        get { if case .object(let members) = self { members[name] } else { nil } }
        set {
            guard case .object(var members) = self else { return }
            members[name] = newValue
            self = .object(members)
        }
    }

    /// A step on the way into a document: a member's name or an element's index.
    package enum Step: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case name(String)
        case index(Int)

        package init(stringLiteral name: String) { self = .name(name) }
        package init(integerLiteral index: Int) { self = .index(index) }
    }

    /// The value some steps down.
    package subscript(first: Step, second: Step, rest: Step...) -> TestJSON? {
        ([first, second] + rest).reduce(self) { value, step in
            switch step {
            case .name(let name): value?[name]
            case .index(let index): value?[index]
            }
        }
    }

    /// An array's element.
    package subscript(index: Int) -> TestJSON? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    package static func count(_ value: Int) -> TestJSON { .integer(Int64(value)) }
}

extension TestJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: TestJSON...) { self = .array(elements) }
    package init(dictionaryLiteral members: (String, TestJSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: members))
    }
}
