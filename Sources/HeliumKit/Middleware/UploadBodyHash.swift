internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials

/// The hash that a body has in a signature (middleware.md sections 1.3 and 1.4), for one that comes in chunks.
///
/// Lower-casing depends on context: what a final sigma is, the letters around it decide. So the text is cut only behind
/// characters that end every such context, and what follows the last of them waits for the next chunk.
struct ChunkedBodyHash: ~Copyable {
    private var hasher = SHA256()
    private var rest: [UInt8] = []

    /// Absorbs the next bytes.
    mutating func update(_ chunk: Data) {
        let start = rest.count
        rest.append(contentsOf: chunk)
        guard let end = rest[start...].lastIndex(where: Self.endsContext) else { return }
        absorb(rest[...end])
        rest.removeFirst(end + 1)
    }

    /// The digest of everything.
    mutating func finalize() -> SHA256.Digest {
        absorb(rest[...])
        rest = []
        return hasher.finalize()
    }

    private mutating func absorb(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in LowercasedUTF8.forEachChunk(of: bytes) { hasher.update($0) } }
    }

    /// ASCII that is neither cased nor case-ignorable (Unicode Standard, section 3.13): blanks, digits, `"` and the other
    /// characters that structure JSON but the colon.
    private static func endsContext(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x2C, 0x30...0x39, 0x5B, 0x5D, 0x7B, 0x7D: true
        default: false
        }
    }
}

extension TransportRequest {
    /// Whether the signature needs the hash of a body that is read while it is sent.
    var needsUploadHash: Bool {
        guard let upload, upload.length != 0 else { return false }
        return SignatureInput(method: "", scheme: "", host: "", target: "", contentType: fields[.contentType]).signsBody
    }

    /// Reads the streamed body once for the signature; `nil` where the signature does not hold it.
    ///
    /// - Throws: ``FailureKind/invalidRequest`` for a body that can't be read twice, ``FailureKind/requestBodyFailed`` for
    ///   one that can't be read.
    func uploadHash() async throws -> SHA256.Digest? {
        guard needsUploadHash, let upload else { return nil }
        guard upload.isReplayable else {
            throw failure(
                .invalidRequest,
                "a body of type application/json is part of the signature, so it has to be read before it is sent, and this"
                    + " one can be read only once"
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
