public import HeliumEssentials

// Bodies that are read while they are sent. Their size is not limited.
extension RequestContent {
    /// Creates content from a file that is read while it is sent. Its size is read when the request is sent. If the
    /// file is missing or its size changes in the meantime, the call fails with ``FailureKind/requestBodyFailed``.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - contentType: The media type. Default: by the name's extension, or `application/octet-stream`.
    public static func file(atPath path: String, contentType: String? = nil) -> Self {
        Self(
            payload: .preparing { () throws(InvalidRequest) in UploadBody(fileAtPath: path) },
            contentType: contentType ?? FileMediaTypes.type(ofFileNamed: path)
        )
    }

    /// Creates content from a file that is read while it is sent; see ``file(atPath:contentType:)``.
    public static func file(at url: URL, contentType: String? = nil) -> Self {
        // A URL that is not a file URL has no path on this machine.
        file(atPath: url.isFileURL ? url.path : "", contentType: contentType)
    }

    /// Creates content from the chunks of an asynchronous sequence, which are requested while the body is sent.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes, if known. A sequence of another length makes the call fail with
    ///     ``FailureKind/requestBodyFailed``. Default: `nil`, which sends the body in chunks (HTTP/1.1) or frames
    ///     (HTTP/2).
    ///   - contentType: The media type. Default: `application/octet-stream`.
    ///   - isReplayable: Whether `makeChunks` returns the same bytes each time it is called. If not, the request is
    ///     never sent again once its body has been opened.
    ///   - makeChunks: Creates the sequence; called for each attempt. If it does not create a new one each time,
    ///     `isReplayable` must be `false`.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil,
        contentType: String? = "application/octet-stream",
        isReplayable: Bool,
        makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        upload(
            UploadBody(length: length, isReplayable: isReplayable, makeChunks: makeChunks),
            contentType: contentType
        )
    }

    /// Creates content from a body that is read while it is sent.
    public static func upload(_ body: UploadBody, contentType: String? = "application/octet-stream") -> Self {
        Self(payload: .upload(body), contentType: contentType)
    }

    /// Creates a form with files, `multipart/form-data`.
    ///
    /// - Parameters:
    ///   - form: The parts. If one can't be encoded, the call fails with ``FailureKind/invalidRequest`` before any I/O.
    ///   - random: The source of the boundary between the parts. Default: the system's generator.
    public static func multipart(_ form: MultipartForm, random: RandomSource = .system) -> Self {
        let encoding = MultipartEncoding(random: random)
        return Self(
            payload: .preparing { () throws(InvalidRequest) in try encoding.body(of: form) },
            contentType: encoding.contentType
        )
    }
}
