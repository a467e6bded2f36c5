package import HeliumJSON

/// A document with an event of an app stream or user stream, `{"meta": …, "data": …}`, or with a control frame.
package struct EventDocument: Sendable {
    var envelope: Envelope<JSONValue>
    var data: EventData?
}

extension EventDocument: AppNetObject {
    package init(from decoder: any Decoder) throws { try self.init(envelope: Envelope(from: decoder)) }

    package init(json: borrowing JSONReader) throws { try self.init(envelope: Envelope(json: json)) }

    private init(envelope: Envelope<JSONValue>) throws {
        self.envelope = envelope
        data = try envelope.data.map { try EventData($0, type: envelope.meta?.type) }
    }

    package func encode(to encoder: any Encoder) throws {
        var written = envelope
        if let data {
            let value = try JSONValue(parsing: try HeliumJSONEncoder().encodeToBytes(AnyValue(value: data.values)))
            if case .array? = envelope.data { written.data = value } else { written.data = value[0] ?? value }
        }
        try written.encode(to: encoder)
    }

    private struct AnyValue: Encodable {
        let value: any Encodable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
}

extension EventDocument: UnknownMemberHolder {
    package func forEachUnknownMember(at path: String, _ body: (String) -> Void) {
        let prefix = path.isEmpty ? "" : path + "."
        // Only control frames have this member.
        for name in envelope.extra.names where name != "control" { body(prefix + name) }
        envelope.meta?.forEachUnknownMember(at: prefix + "meta", body)
        data?.values.forEachUnknownMember(at: prefix + "data", body)
    }
}

extension EventDocument: PnutTranslated {
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        guard case .object(var event) = value, case .object(var meta)? = event["meta"] else {
            return try value.arrayValue.map { .array(try $0.map { try translate($0, direction) }) } ?? value
        }
        let type = meta["type"]?.stringValue
        if let data = event["data"] { event["data"] = try EventContent.translate(data, type: type, direction) }
        try PnutStep.value("type", EventContent.names).apply(to: &meta, direction)
        try PnutStep.typeName("channel_type").apply(to: &meta, direction)
        event["meta"] = .object(meta)
        return .object(event)
    }
}
