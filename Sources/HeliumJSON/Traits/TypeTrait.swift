internal import HeliumEssentials

/// The decoder's special handling of a type.
enum TypeTrait {
    /// None: the type's `init(from:)` is used.
    case plain
    case date
    case data
    case url
    case decimal
    /// The type reads itself.
    case readable(any JSONReadable.Type)
    /// An array or a dictionary with string keys, which the standard library would read through containers.
    case collection(any TapeCollection.Type)

    init(_ type: any Decodable.Type, keys: HeliumJSONDecoder.KeyDecodingStrategy) {
        if type == Date.self {
            self = .date
        } else if type == Data.self {
            self = .data
        } else if type == URL.self {
            self = .url
        } else if type == Decimal.self {
            self = .decimal
        } else if let type = type as? any JSONReadable.Type, keys.isDefault || type is any KeylessReadable.Type {
            self = .readable(type)
        } else if let type = type as? any TapeCollection.Type {
            self = .collection(type)
        } else {
            self = .plain
        }
    }
}
