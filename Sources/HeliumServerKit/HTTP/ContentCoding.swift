internal import HeliumCompression

/// The content codings gzip and deflate (RFC 1952, RFC 1950) of requests and responses.
package enum ContentCoding {
    /// The error thrown when a body cannot be decompressed.
    package enum Failure: Error {
        /// The bytes are not in the named coding, or end too early.
        case malformed
        /// The decompressed data would exceed the limit.
        case tooLarge
    }

    /// Returns `bytes` in gzip format.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] { Gzip.compressed(bytes) }

    /// Decompresses gzip or zlib data. The format is detected.
    ///
    /// - Throws: ``Failure``. The result never exceeds `ceiling` bytes, however small the input is.
    package static func inflated(_ bytes: [UInt8], ceiling: Int) throws(Failure) -> [UInt8] {
        var inflater = Inflater(bytes.first == 0x1F ? .gzip : .deflate)
        var result: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 32 * 1024)
        var position = 0
        while true {
            let progress: Inflater.Progress
            do throws(Inflater.Failure) {
                progress = try inflater.decompress(bytes, from: position, into: &block)
            } catch {
                throw .malformed
            }
            position += progress.consumed
            guard progress.produced <= ceiling - result.count else { throw .tooLarge }
            result.append(contentsOf: block[..<progress.produced])
            if progress.produced < block.count { break }
        }
        guard position == bytes.count, inflater.isComplete else { throw .malformed }
        return result
    }
}
