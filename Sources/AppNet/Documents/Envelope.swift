package import HeliumJSON

/// The body of a response, or a frame of a stream: `{"meta": …, "data": …}` (Docs/Protocols/AppNet.md §1.5).
package struct Envelope<Value: Codable & JSONReadable & Sendable>: Sendable {
    /// The metadata.
    package var meta: ResponseMeta?

    /// The data; `nil` if there is none, as for errors.
    package var data: Value?

    /// Other members, such as `control` in a frame.
    package var extra: JSONObject

    package init(meta: ResponseMeta? = nil, data: Value? = nil, extra: JSONObject = [:]) {
        self.meta = meta
        self.data = data
        self.extra = extra
    }
}

extension Envelope: Equatable where Value: Equatable {}
extension Envelope: Hashable where Value: Hashable {}

extension Envelope: Codable, JSONReadable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case meta, data
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        meta = try container.decodeIfPresent(ResponseMeta.self, forKey: .meta)
        data = try container.decodeIfPresent(Value.self, forKey: .data)
        extra = try decoder.unknownMembers(besides: CodingKeys.self)
    }

    package init(json: borrowing JSONReader) throws {
        self.init()
        try json.forEachMember { name, value in
            switch name {
            case "meta": meta = value.isNull ? nil : try value.read()
            case "data": data = value.isNull ? nil : try value.read()
            default: extra.keep(name, value)
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(meta, forKey: .meta)
        try container.encodeIfPresent(data, forKey: .data)
        try encoder.encode(unknownMembers: extra)
    }
}

extension Envelope: UnknownMemberHolder where Value: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        let prefix = path.isEmpty ? "" : path + "."
        for name in extra.names { body(prefix + name) }
        meta?.forEachUnknownMember(at: prefix + "meta", body)
        data?.forEachUnknownMember(at: prefix + "data", body)
    }
}
