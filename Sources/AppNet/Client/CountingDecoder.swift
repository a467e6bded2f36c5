internal import Foundation
internal import HeliumConcurrency
internal import HeliumCore
internal import Synchronization

/// A decoder that counts the bytes of the responses that it decodes.
final class CountingDecoder: BodyDecoder {
    private let decoder: DialectDecoder
    private let count = Guarded(0)

    init(_ decoder: DialectDecoder) { self.decoder = decoder }

    /// The size of all responses, in bytes after decompression.
    var bytes: Int { count.withLock { $0 } }

    var mediaType: String { decoder.mediaType }

    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, at path: [String]) throws -> Value? {
        count.withLock { $0 += body.count }
        return try decoder.decode(type, from: body, at: path)
    }
}
