import Foundation

/// A JSON document for comparisons.
enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])

    /// `nil` if `data` is no JSON.
    init?(_ data: Data) {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: data) else { return nil }
        self = tree
    }

    /// Whether everything in `other` is here too: objects may have more members here, at any depth.
    func includes(_ other: JSONTree) -> Bool {
        switch (self, other) {
        case (.object(let mine), .object(let theirs)):
            theirs.allSatisfy { name, value in mine[name].map { $0.includes(value) } ?? false }
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.includes($1) }
        default:
            self == other
        }
    }
}

extension JSONTree: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }
}
