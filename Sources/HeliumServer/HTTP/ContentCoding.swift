internal import CZlib

/// gzip and deflate (RFC 1952, RFC 1950) through zlib.
enum ContentCoding {
    /// Why a body could not be unpacked.
    enum Failure: Error {
        /// The bytes are not in the named coding, or end too early.
        case malformed
        /// More than the ceiling would come out.
        case tooLarge
    }

    /// `bytes` in gzip format.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // 15 is the largest window, 16 asks for the gzip frame.
        guard helium_deflate_begin(&stream, Z_DEFAULT_COMPRESSION, 15 + 16) == Z_OK else {
            fatalError("zlib is out of memory")
        }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { out, count in
            // zlib never writes through `next_in`; its type lacks the `const`.
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = out.baseAddress
                stream.avail_out = UInt32(bound)
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "deflateBound promises room for everything")
                count = bound - Int(stream.avail_out)
            }
        }
    }

    /// Unpacks gzip or zlib data, whichever it is.
    ///
    /// - Throws: ``Failure``; never gives more than `ceiling` bytes, however small the input.
    static func inflated(_ bytes: [UInt8], ceiling: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // 32 lets zlib tell gzip and zlib frames apart.
        guard helium_inflate_begin(&stream, 15 + 32) == Z_OK else { fatalError("zlib is out of memory") }
        defer { inflateEnd(&stream) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 32 * 1024)
        let outcome = bytes.withUnsafeBufferPointer { input -> Failure? in
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = UInt32(input.count)
            while true {
                let (status, produced) = chunk.withUnsafeMutableBufferPointer { out in
                    stream.next_out = out.baseAddress
                    stream.avail_out = UInt32(out.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, out.count - Int(stream.avail_out))
                }
                result.append(contentsOf: chunk[..<produced])
                if result.count > ceiling { return .tooLarge }
                if status == Z_STREAM_END { return nil }
                if status != Z_OK { return .malformed }
            }
        }
        if let outcome { throw outcome }
        return result
    }
}
