/// Any JSON document, none of whose values is looked at: what decodes is well-formed.
struct Anything: Decodable, Equatable {
    init(from decoder: any Decoder) throws {}
}

/// Any JSON document, every value read.
indirect enum Everything: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([Everything])
    case object([String: Everything])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([Everything].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: Everything].self) {
            self = .object(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }
}
