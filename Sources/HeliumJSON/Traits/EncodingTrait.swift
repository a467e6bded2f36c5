internal import HeliumEssentials

/// The encoder's special handling of a type.
enum EncodingTrait {
    /// None: the type's `encode(to:)` is used.
    case plain
    case date
    case data
    case url
    case decimal
    case scalar(any ScalarText.Type)
    /// The value is JSON already. Its text is used unchanged, and the layout is applied afterwards.
    case json(any JSONTextWritable.Type)
    case array(any ArrayText.Type)
    /// A dictionary with string keys, to which the key strategy does not apply.
    case dictionary(any DictionaryText.Type)

    init(_ type: any Encodable.Type, keys: HeliumJSONEncoder.KeyEncodingStrategy) {
        if let scalar = Self.scalars[ObjectIdentifier(type)] {
            self = .scalar(scalar)
        } else if type == Date.self {
            self = .date
        } else if type == Data.self {
            self = .data
        } else if type == URL.self {
            self = .url
        } else if type == Decimal.self {
            self = .decimal
        } else if let type = type as? any JSONTextWritable.Type {
            self = .json(type)
        } else if let type = type as? any ArrayText.Type {
            self = .array(type)
        } else if let type = type as? any DictionaryText.Type, keys.isDefault || type.hasStringKeys {
            self = .dictionary(type)
        } else {
            self = .plain
        }
    }

    private static let scalars: [ObjectIdentifier: any ScalarText.Type] = {
        let types: [any ScalarText.Type] = [
            String.self, Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
            Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
        ]
        return Dictionary(uniqueKeysWithValues: types.map { (ObjectIdentifier($0), $0) })
    }()
}
