internal import HeliumEssentials

/// What the decoder knows of a type beyond its `init(from:)`.
enum TypeTrait {
    /// Nothing.
    case plain
    case date
    case data
    case url
    case decimal
    /// It reads itself.
    case readable(any JSONReadable.Type)
    /// An array or a dictionary by names: what the standard library would read through containers.
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
