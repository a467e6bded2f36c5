public import HeliumEssentials

// Bodies that are read while they are sent: their size is bounded by nothing of ours.
extension RequestContent {
    /// A file, read while it is sent. Its size is taken when the request is sent; a file that changes its size meanwhile
    /// fails the call with kind ``FailureKind/requestBodyFailed``, and so does one that is missing.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - contentType: Default: by the name's extension, else `application/octet-stream`.
    public static func file(atPath path: String, contentType: String? = nil) -> Self {
        Self(
            payload: .preparing { () throws(InvalidRequest) in UploadBody(fileAtPath: path) },
            contentType: contentType ?? MediaTypes.type(ofFileNamed: path)
        )
    }

    /// A file, read while it is sent; see ``file(atPath:contentType:)``.
    public static func file(at url: URL, contentType: String? = nil) -> Self {
        // A URL of the network has no path here.
        file(atPath: url.isFileURL ? url.path : "", contentType: contentType)
    }

    /// The chunks of an asynchronous sequence, asked for while they are sent.
    ///
    /// - Parameters:
    ///   - length: The exact number of bytes, where it is known. A sequence that gives another number fails the call with
    ///     kind ``FailureKind/requestBodyFailed``. Default: `nil`, the body goes out in chunks (HTTP/1.1) or frames
    ///     (HTTP/2).
    ///   - contentType: Default: `application/octet-stream`.
    ///   - isReplayable: Whether `makeChunks` gives the same bytes each time it is called. If not, the request is never
    ///     sent again once its body was asked for.
    ///   - makeChunks: Makes the sequence; called for each attempt. If it makes no new one each time, `isReplayable` has
    ///     to be `false`.
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        length: Int64? = nil,
        contentType: String? = "application/octet-stream",
        isReplayable: Bool,
        makeChunks: @escaping @Sendable () async throws -> Chunks
    ) -> Self where Chunks.Element == Data, Chunks.AsyncIterator: SendableMetatype {
        upload(
            UploadBody(length: length.map { max(0, $0) }, isReplayable: isReplayable, makeChunks: makeChunks),
            contentType: contentType
        )
    }

    /// A body that is read while it is sent.
    public static func upload(_ body: UploadBody, contentType: String? = "application/octet-stream") -> Self {
        Self(payload: .upload(body), contentType: contentType)
    }

    /// A form with files, `multipart/form-data`.
    ///
    /// - Parameters:
    ///   - form: The parts. One that can't be written fails the call with kind ``FailureKind/invalidRequest`` before any
    ///     I/O.
    ///   - random: Where the boundary between the parts comes from. Default: the system's generator.
    public static func multipart(_ form: MultipartForm, random: RandomSource = .system) -> Self {
        let encoding = MultipartEncoding(random: random)
        return Self(
            payload: .preparing { () throws(InvalidRequest) in try encoding.body(of: form) },
            contentType: encoding.contentType
        )
    }
}
