extension RequestBuilder {
    /// Reports the progress of the request body to `handler`: at its beginning, at most every 100 milliseconds, and at
    /// its end. Each attempt starts again from zero.
    ///
    /// The handler runs on Swift's cooperative threads, never on a thread of the transport. It is called from one task
    /// at a time. A slow handler delays the body.
    public consuming func uploadProgress(_ handler: @escaping @Sendable (TransferProgress) -> Void) -> Self {
        with { $0.settings.uploadProgress = handler }
    }

    /// Sets whether the response body may be compressed (gzip, deflate). Default: `true` for bodies that are collected,
    /// `false` for streams, lines, events and downloads.
    ///
    /// Pass `true` for a long stream that compresses well over a slow network. A consumer that does not read holds at
    /// most about 1 MiB of compressed bytes in memory, and the body is decompressed as it is read.
    /// ``ResponseLimits/decompressionRatio`` limits how far it may grow. Servers may hold back short lines of a
    /// compressed stream until they have enough to compress.
    ///
    /// - Parameter accepts: Whether the request offers content codings; `false` sends `Accept-Encoding: identity`. A
    ///   body that is compressed nevertheless is decoded.
    public consuming func acceptsContentCodings(_ accepts: Bool = true) -> Self {
        with { $0.settings.acceptsContentCodings = accepts }
    }

    /// The client's clock.
    package var clock: any HeliumClock { pipeline.clock }

    /// The time limit that was set on the call itself and not on its client; `nil` if there is none.
    package var ownTimeout: Duration? { draft.settings.total ?? draft.settings.timeouts?.total }

    /// Runs `operation` until it ends, the deadline passes, the client closes, or the calling task is cancelled.
    ///
    /// - Throws: The error of `operation`; ``DeadlineExceeded``; ``ClientClosed``; `CancellationError`.
    package func race<Result: Sendable>(
        _ deadline: Deadline?,
        _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await pipeline.race(deadline ?? Deadline(after: nil, clock: clock), operation)
    }

    /// Returns the request as it would be sent now, without credentials.
    package func transportRequest() throws(HeliumError) -> TransportRequest {
        try prepared(isStream: true).request
    }
}

extension RequestDraft {
    /// Applies a streamed body and the call's settings for it to a request.
    func applyTransfers(to request: inout TransportRequest, _ pipeline: Pipeline) {
        if let progress = settings.uploadProgress {
            if request.upload == nil, let body = request.body {
                request.upload = UploadBody(body)
                request.body = nil
            }
            request.upload = request.upload?.reporting(to: progress, clock: pipeline.clock)
        }
        if request.upload != nil, settings.httpVersion == nil { request.version = pipeline.options.streamHTTPVersion }
    }
}
