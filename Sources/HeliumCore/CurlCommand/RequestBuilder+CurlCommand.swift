extension RequestBuilder {
    /// A command for a POSIX shell that sends this request with the `curl` tool; see
    /// ``TransportRequest/curlCommand(showingSecrets:secrets:)``. Nothing is sent.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether to mask nothing. Default: credentials, query values and everything that the client's
    ///     authorizer names in its ``Authorizer/secrets`` are masked.
    ///   - authorized: Whether the authorizer is asked to add its credential. It may have to send requests for that, a
    ///     device registration or a token's refresh. Default: the request as it is before its authorization.
    /// - Throws: ``HeliumError`` for a request that can't be built or authorized; `CancellationError`.
    public func curlCommand(showingSecrets: Bool = false, authorized: Bool = false) async throws -> String {
        let prepared = try draft.prepared(
            for: pipeline,
            accept: reader.isDecoded ? pipeline.options.decoder.mediaType : nil,
            selection: reader.selection,
            isStream: false
        )
        let request = authorized ? try await authorize(prepared) : prepared.request
        return request.curlCommand(showingSecrets: showingSecrets, secrets: pipeline.authorizer.secrets)
    }

    private func authorize(_ prepared: PreparedRequest) async throws -> TransportRequest {
        let deadline = Deadline(after: prepared.request.timeouts.total, clock: pipeline.clock)
        do {
            return try await deadline.race { [authorizer = pipeline.authorizer] in
                var request = prepared.request
                if try !authorizer.authorizeImmediately(&request) {
                    try await authorizer.authorize(&request, context: AuthorizationContext(deadline: deadline))
                }
                return request
            }
        } catch let error where error is HeliumError || error is CancellationError {
            throw error
        } catch {
            let isLate = error is DeadlineExceeded
            var failure = HeliumError(
                isLate ? .timedOut : .authorizationFailed,
                request: prepared.summary,
                delivery: .notSent,
                message: isLate ? "the time ran out before the request could be authorized" : "the authorizer failed",
                underlying: isLate ? nil : error
            )
            if isLate { failure[fact: \.phase] = .total }
            throw failure
        }
    }
}
