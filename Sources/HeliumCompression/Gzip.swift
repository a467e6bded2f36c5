internal import CZlib

/// The gzip format (RFC 1952) for complete bodies.
package enum Gzip {
    /// Returns `bytes` in gzip format.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        // 15 is the largest window, and 16 selects the gzip format.
        compressed(bytes, window: 15 + 16)
    }

    /// Returns `bytes` in zlib format (RFC 1950), which HTTP calls deflate.
    package static func deflated(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, window: 15) }

    /// Returns `bytes` as deflate data without a zlib or gzip header (RFC 1951).
    package static func rawDeflated(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, window: -15) }

    private static func compressed(_ bytes: [UInt8], window: Int32) -> [UInt8] {
        var stream = z_stream()
        guard helium_deflate_begin(&stream, Z_DEFAULT_COMPRESSION, window) == Z_OK else {
            fatalError("zlib is out of memory")
        }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { out, count in
            // zlib never writes through `next_in`, although its type lacks the `const`.
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(bound)
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "deflate needs more space than deflateBound returned")
                count = bound - Int(stream.avail_out)
            }
        }
    }
}
