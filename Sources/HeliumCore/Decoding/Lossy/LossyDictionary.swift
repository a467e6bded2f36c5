/// A dictionary that leaves out the members that can't be decoded and reports them, like ``LossyArray`` for arrays.
@propertyWrapper
public struct LossyDictionary<Value> {
    /// The decoded members.
    public var wrappedValue: [String: Value]

    /// The number of members that were left out during decoding.
    public private(set) var droppedCount = 0

    /// Creates a dictionary.
    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }

    /// The wrapper itself, for example for `page.$counts.droppedCount`.
    public var projectedValue: Self { self }
}

extension LossyDictionary: Sendable where Value: Sendable {}

/// Dictionaries are equal if their members are equal, whatever was left out.
extension LossyDictionary: Equatable where Value: Equatable {
    /// Returns whether the members are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyDictionary: Hashable where Value: Hashable {
    /// Hashes the members.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyDictionary: Decodable where Value: Decodable {
    /// Decodes the members that can be decoded, in the order of their names, so that reports are reproducible.
    ///
    /// - Throws: The decoder's error for a value that is not an object.
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
