internal import HeliumEssentials

extension JSONNumber: Codable {
    /// Decodes a number: see ``JSONValue/init(from:)``.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? TapeDecoder {
            self = try JSONNumber(json: JSONReader(document: decoder.document, index: decoder.index))
            return
        }
        let container = try decoder.singleValueContainer()
        // The decoder's own error describes the fault best.
        self = try JSONNumber(decoding: container) ?? JSONNumber(container.decode(Int64.self))
    }

    /// Creates the number in a container as exactly as the decoder allows. Returns `nil` if there is none.
    init?(decoding container: any SingleValueDecodingContainer) {
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self) {
            guard let rounded = JSONNumber(value) else { return nil }
            // A decimal has more digits than a double, but a smaller range.
            let decimal = (try? container.decode(Decimal.self)).flatMap { JSONNumber($0) }
            self = decimal.flatMap { $0.doubleValue == value ? $0 : nil } ?? rounded
        } else {
            return nil
        }
    }

    /// Encodes the number as the first of an integer, a double or a decimal that is exact, or else as the nearest
    /// double.
    ///
    /// - Throws: `EncodingError` if it is beyond a double's range.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value = Int64(exactly: self) { return try container.encode(value) }
        if let value = UInt64(exactly: self) { return try container.encode(value) }
        let double = doubleValue
        if let double, JSONNumber(double) == self { return try container.encode(double) }
        if let value = decimalValue { return try container.encode(value) }
        if let double { return try container.encode(double) }
        let context = EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription: "the number is out of the range of Double"
        )
        throw EncodingError.invalidValue(self, context)
    }
}
