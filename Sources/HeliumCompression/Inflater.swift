internal import CZlib

/// Decompresses one gzip or deflate body, chunk by chunk (RFC 1952, RFC 1950, RFC 1951).
///
/// Memory use is bounded by the caller, because each call fills at most the given output. A body is complete only if
/// ``isComplete`` is `true` after its last byte, because zlib itself does not report a body that ends early.
///
/// `@unchecked Sendable`: the type is not copyable, so its zlib stream has one owner.
package struct Inflater: ~Copyable, @unchecked Sendable {
    /// The formats of HTTP content codings (RFC 9110 §8.4.1).
    package enum Format: Hashable, Sendable {
        /// gzip: one member, or several in a row (RFC 1952 §2.2).
        case gzip
        /// zlib (RFC 1950), or deflate data without a zlib header (RFC 1951), which some servers send under the same
        /// name.
        case deflate
    }

    /// An error of decompression.
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes do not have the format, or more bytes follow its end.
        case malformed
        /// zlib could not allocate its window.
        case outOfMemory
    }

    /// The result of one call.
    package struct Progress: Hashable, Sendable {
        /// The number of bytes read from the input.
        package var consumed = 0
        /// The number of bytes written to the output. If the output is full, there may be more data: call again, even
        /// without input.
        package var produced = 0
    }

    /// The position in the body.
    private enum Stage { case beginning, inside, end }

    // Allocated on the heap, because zlib keeps a pointer to its stream and rejects a stream that has moved.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Format
    private var stage = Stage.beginning

    /// Creates a decompressor at the beginning of a body.
    package init(_ format: Format) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        // Does nothing if the stream was never begun.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the bytes so far are a complete body: the format's end was reached, its checksum and length are right,
    /// and no byte has followed.
    package var isComplete: Bool { stage == .end }

    /// Decompresses from `input` into `output` until one of them is exhausted.
    package mutating func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Progress {
        var progress = Progress()
        while progress.produced < output.count {
            let rest = UnsafeRawBufferPointer(rebasing: input[progress.consumed...])
            if stage != .inside {
                guard let first = rest.first else { break }
                try begin(first)
            }
            // The counters of zlib have 32 bits.
            let offered = min(rest.count, Int(Int32.max))
            let room = min(output.count - progress.produced, Int(Int32.max))
            // zlib never writes through `next_in`, although its type lacks the `const`.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
            )
            stream.pointee.avail_in = UInt32(offered)
            stream.pointee.next_out = output.baseAddress.map {
                ($0 + progress.produced).assumingMemoryBound(to: UInt8.self)
            }
            stream.pointee.avail_out = UInt32(room)
            let result = inflate(stream, Z_NO_FLUSH)
            let consumed = offered - Int(stream.pointee.avail_in)
            let produced = room - Int(stream.pointee.avail_out)
            progress.consumed += consumed
            progress.produced += produced
            switch result {
            case Z_OK: break
            case Z_STREAM_END: stage = .end
            // There was neither input nor room for output.
            case Z_BUF_ERROR: return progress
            case Z_MEM_ERROR: throw .outOfMemory
            default: throw .malformed
            }
            if consumed == 0, produced == 0, stage == .inside { break }
        }
        return progress
    }

    /// Prepares for a body, or for a further member of one, that begins with `first`.
    private mutating func begin(_ first: UInt8) throws(Failure) {
        if stage == .end {
            // Only gzip has members. zlib itself rejects an invalid one.
            guard format == .gzip, inflateReset(stream) == Z_OK else { throw .malformed }
        } else {
            let window: Int32 =
                switch format {
                case .gzip: 15 + 16
                // zlib's first byte has method 8 in its lower half. A deflate block never begins like that, because it
                // would be a stored block with a padding bit set.
                case .deflate: first & 0x0F == 8 ? 15 : -15
                }
            guard helium_inflate_begin(stream, window) == Z_OK else { throw .outOfMemory }
        }
        stage = .inside
    }
}

extension Inflater {
    /// Decompresses the bytes of an array, beginning at `start`, into another array.
    package mutating func decompress(
        _ input: [UInt8],
        from start: Int,
        into output: inout [UInt8]
    ) throws(Failure) -> Progress {
        var result = Result<Progress, Failure>.success(Progress())
        input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                do throws(Failure) {
                    result = .success(
                        try decompress(UnsafeRawBufferPointer(rebasing: input[start...]), into: output)
                    )
                } catch {
                    result = .failure(error)
                }
            }
        }
        return try result.get()
    }
}
