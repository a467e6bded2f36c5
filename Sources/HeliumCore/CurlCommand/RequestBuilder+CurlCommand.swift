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
        let prepared = try prepared(isStream: false)
        let request = authorized ? try await authorize(prepared) : prepared.request
        return request.curlCommand(showingSecrets: showingSecrets, secrets: pipeline.authorizer.secrets)
    }

    private func authorize(_ prepared: PreparedRequest) async throws -> TransportRequest {
        let began = pipeline.clock.uptime
        let deadline = Deadline(after: prepared.request.timeouts.total, from: began, clock: pipeline.clock)
        let call = Call(prepared: prepared, deadline: deadline, began: began)
        do throws(HeliumError) {
            var request = try await pipeline.authorized(prepared.request, call: call)
            // The command has all the call's time, not what authorizing left of it.
            request.timeouts = prepared.request.timeouts
            return request
        } catch {
            throw Pipeline.surfaced(error)
        }
    }
}
