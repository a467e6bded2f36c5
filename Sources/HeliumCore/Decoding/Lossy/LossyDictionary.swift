/// A dictionary that leaves out the members that do not decode, and says so, as ``LossyArray`` does for arrays.
@propertyWrapper
public struct LossyDictionary<Value> {
    /// The members that decoded.
    public var wrappedValue: [String: Value]

    /// How many members were left out when this was decoded.
    public private(set) var droppedCount = 0

    /// A dictionary.
    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }

    /// The wrapper itself: `page.$counts.droppedCount`.
    public var projectedValue: Self { self }
}

extension LossyDictionary: Sendable where Value: Sendable {}

/// Equal members make equal dictionaries, whatever was left out.
extension LossyDictionary: Equatable where Value: Equatable {
    /// Whether the members are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyDictionary: Hashable where Value: Hashable {
    /// Hashes the members.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyDictionary: Decodable where Value: Decodable {
    /// Takes what decodes, in the order of the names, so that reports repeat.
    ///
    /// - Throws: What the decoder throws for a value that has no members.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: MemberName.self)
        wrappedValue = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue.bytesPrecede($1.stringValue) }) {
            do {
                wrappedValue[key.stringValue] = try container.decode(Value.self, forKey: key)
            } catch {
                droppedCount += 1
                DecodingReportCollector.note(.droppedMember, Value.self, at: decoder.codingPath + [key], error)
            }
        }
    }
}

extension LossyDictionary: Encodable where Value: Encodable {
    /// Encodes the members.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
