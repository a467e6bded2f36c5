package import Foundation
internal import HeliumCore
internal import HeliumJSON

/// A frame of a user stream. Its metadata is decoded first, and its values only by the subscriptions that it is for.
package struct EventFrame: Sendable {
    let meta: ResponseMeta
    private let bytes: Data
    private let dialect: AppNetDialect

    /// - Throws: `DecodingError` if the bytes are not an envelope.
    package init(_ bytes: Data, dialect: AppNetDialect) throws {
        var meta = try bytes.repairedIfNeeded { try HeliumJSONDecoder().decode(FrameHead.self, from: $0).meta }
        if dialect == .pnut { PnutTypes.translateToAppNet(&meta) }
        self.meta = meta
        self.bytes = bytes
        self.dialect = dialect
    }

    /// The ids of the subscriptions that the frame is for (Docs/Protocols/AppNet.md §2.14).
    package var subscriptionIDs: [String] { meta.subscriptionIDs ?? meta.subscriptionID.map { [$0] } ?? [] }

    /// - Throws: `DecodingError` if the data is of another type.
    func event<Value: StreamValue & AppNetObject>(of type: Value.Type) throws -> SubscriptionEvent<Value> {
        let decoder = DialectDecoder(dialect: dialect, decoder: HeliumJSONDecoder())
        let envelope = try decoder.decode(Envelope<EventValues<Value>>.self, from: bytes, at: [])
        return SubscriptionEvent(values: envelope?.data?.values ?? [], meta: meta)
    }
}

/// The metadata of a frame with any data.
private struct FrameHead: Decodable, JSONReadable {
    var meta = ResponseMeta()

    private enum CodingKeys: String, CodingKey { case meta }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        meta = try container.decodeIfPresent(ResponseMeta.self, forKey: .meta) ?? ResponseMeta()
    }

    init(json: borrowing JSONReader) throws {
        try json.forEachMember { name, value in
            switch name {
            case "meta" where !value.isNull: meta = try value.read()
            default: break
            }
        }
    }
}

/// The data of an event: a list, or a single value.
struct EventValues<Value: AppNetObject>: AppNetObject {
    var values: [Value]

    static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        try Value.translate(value, direction)
    }

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            values = []
            while !list.isAtEnd { values.append(try list.decode(Value.self)) }
        } else {
            values = [try Value(from: decoder)]
        }
    }

    init(json: borrowing JSONReader) throws {
        values = []
        if json.kind == .array {
            try json.forEachElement { values.append(try $0.read()) }
        } else {
            values = [try json.read()]
        }
    }

    func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
