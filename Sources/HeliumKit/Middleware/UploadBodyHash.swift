internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials

/// The hash of a body that arrives in chunks, as used in a signature (Docs/Protocols/Middleware.md §1.3 and §1.4).
///
/// Lower-casing depends on context: the letters around a sigma decide whether it is a final sigma. The text is
/// therefore split only after characters that end every such context. The text after the last of them waits for the
/// next chunk.
struct ChunkedBodyHash: ~Copyable {
    private var hasher = SHA256()
    private var rest: [UInt8] = []

    /// Adds the next bytes.
    mutating func update(_ chunk: Data) {
        let start = rest.count
        rest.append(contentsOf: chunk)
        guard let end = rest[start...].lastIndex(where: Self.endsContext) else { return }
        absorb(rest[...end])
        rest.removeFirst(end + 1)
    }

    /// Returns the digest of all bytes.
    mutating func finalize() -> SHA256.Digest {
        absorb(rest[...])
        rest = []
        return hasher.finalize()
    }

    private mutating func absorb(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in LowercasedUTF8.forEachChunk(of: bytes) { hasher.update($0) } }
    }

    /// Returns whether the byte is ASCII that is neither cased nor case-ignorable (Unicode Standard, section 3.13):
    /// white space, digits, `"` and the other structural characters of JSON except the colon.
    private static func endsContext(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x30...0x39, 0x5B, 0x5D, 0x7B, 0x7D: true
        default: false
        }
    }
}

extension TransportRequest {
    /// Whether the signature includes the hash of a body that is read while it is sent.
    var needsUploadHash: Bool {
        guard let upload, upload.length != 0 else { return false }
        return SignatureInput(method: "", scheme: "", host: "", target: "", contentType: fields[.contentType]).signsBody
    }

    /// Reads the streamed body once for the signature and returns its hash, or `nil` if the signature does not include
    /// it.
    ///
    /// - Throws: ``FailureKind/invalidRequest`` for a body that can be read only once,
    ///   ``FailureKind/requestBodyFailed`` for one that can't be read.
    func uploadHash() async throws -> SHA256.Digest? {
        guard needsUploadHash, let upload else { return nil }
        guard upload.isReplayable else {
            throw failure(
                .invalidRequest,
                "a body of type application/json is part of the signature and must be read before it is sent, but this "
                    + "one can be read only once"
            )
        }
        do {
            let source = try await upload.openUnobserved()
            defer { source.cancel() }
            var hash = ChunkedBodyHash()
            var isEmpty = true
            while let chunk = try await source.next() {
                try Task.checkCancellation()
                if !chunk.isEmpty { isEmpty = false }
                hash.update(chunk)
            }
            return isEmpty ? nil : hash.finalize()
        } catch let error as CancellationError {
            throw error
        } catch {
            let message = (error as? UploadFailure)?.description ?? "the source of the request's body failed"
            throw failure(.requestBodyFailed, message, underlying: error)
        }
    }

    private func failure(_ kind: FailureKind, _ message: String, underlying: (any Error)? = nil) -> HeliumError {
        HeliumError(
            kind,
            request: RequestSummary(method: method, url: url.redacted),
            delivery: .notSent,
            message: message,
            underlying: underlying
        )
    }
}
