internal import Foundation

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Random identifiers, generated in batches. `UUID()` opens a device file for each identifier.
struct RandomIDs {
    private var ids: [ModelID] = []

    /// Returns a random identifier of version 4 (RFC 9562 §5.4).
    mutating func next() -> ModelID {
        if ids.isEmpty {
            let bytes = Self.random(256)
            ids = stride(from: 0, to: bytes.count, by: 16).map { Self.id(bytes[$0..<($0 + 16)]) }
        }
        return ids.popLast() ?? Self.one()
    }

    /// Returns one random identifier.
    static func one() -> ModelID { id(random(16)[...]) }

    /// Returns random bytes from the system, at most 256.
    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        if getentropy(&bytes, count) == 0 { return bytes }
        // Kernels without the call have the device file.
        var generator = SystemRandomNumberGenerator()
        return bytes.map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static func id(_ bytes: ArraySlice<UInt8>) -> ModelID {
        var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &id) { $0.copyBytes(from: bytes) }
        // The version, and the variant of RFC 9562.
        id.6 = id.6 & 0x0F | 0x40
        id.8 = id.8 & 0x3F | 0x80
        return ModelID(uuid: id)
    }
}
