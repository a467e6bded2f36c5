internal import CZlib

/// Decompresses one gzip or deflate body, piece by piece (RFC 1952, RFC 1950, RFC 1951).
///
/// Memory use is bounded by the caller: each call fills at most the given output. A body is whole only if
/// ``isComplete`` is `true` after its last byte: zlib itself does not report a body that ends early.
///
/// `@unchecked Sendable`: not copyable, so its zlib stream has one owner.
package struct Inflater: ~Copyable, @unchecked Sendable {
    /// The formats that HTTP names (RFC 9110 §8.4.1).
    package enum Format: Hashable, Sendable {
        /// gzip: one member, or several in a row (RFC 1952 §2.2).
        case gzip
        /// zlib (RFC 1950), or deflate data without a frame (RFC 1951), which some servers send under the same name.
        case deflate
    }

    /// An error of decompression.
    package enum Failure: Error, Hashable, Sendable {
        /// The bytes do not have the format, or more bytes follow after its end.
        case malformed
        /// zlib could not allocate its window.
        case outOfMemory
    }

    /// The result of one call.
    package struct Progress: Hashable, Sendable {
        /// Bytes taken from the input.
        package var consumed = 0
        /// Bytes written to the output. If this is all of its room, there may be more: call again, even without input.
        package var produced = 0
    }

    /// The stage of the body.
    private enum Stage { case beginning, inside, end }

    // On the heap: zlib keeps a pointer to its stream and refuses one that has moved.
    private let stream: UnsafeMutablePointer<z_stream>
    private let format: Format
    private var stage = Stage.beginning

    /// A decompressor at the beginning of a body.
    package init(_ format: Format) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        // Does nothing to a stream that was never begun.
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Whether the bytes so far are a whole body: the format's end was reached, its checksum and length were right, and
    /// no byte has followed.
    package var isComplete: Bool { stage == .end }

    /// Decompresses from `input` into `output`, as far as either reaches.
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
            // zlib's counters have 32 bits.
            let offered = min(rest.count, Int(Int32.max))
            let room = min(output.count - progress.produced, Int(Int32.max))
            // zlib never writes through `next_in`; its type lacks the `const`.
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
            // Without input or output there was nothing to do.
            case Z_BUF_ERROR: return progress
            case Z_MEM_ERROR: throw .outOfMemory
            default: throw .malformed
            }
            if consumed == 0, produced == 0, stage == .inside { break }
        }
        return progress
    }

    /// Makes ready for a body, or for a further member of one, that begins with `first`.
    private mutating func begin(_ first: UInt8) throws(Failure) {
        if stage == .end {
            // Only gzip has members. zlib itself refuses what is none.
            guard format == .gzip, inflateReset(stream) == Z_OK else { throw .malformed }
        } else {
            let window: Int32 =
                switch format {
                case .gzip: 15 + 16
                // zlib's first byte has method 8 in its lower half. A deflate block never begins like that: it would be a
                // stored one with a padding bit set.
                case .deflate: first & 0x0F == 8 ? 15 : -15
                }
            guard helium_inflate_begin(stream, window) == Z_OK else { throw .outOfMemory }
        }
        stage = .inside
    }
}

extension Inflater {
    /// Decompresses the bytes of an array from `start` on into another.
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
