extension TransportRequest {
    /// A command for a POSIX shell that sends this request with the `curl` tool, byte for byte as `CurlTransport` does.
    ///
    /// Options that the request does not need are left out; fields that the tool would add are removed; neither the user's
    /// `.curlrc` nor a proxy has a say. Text is in single quotes. Bytes that are no text, that a terminal would not show, or
    /// that are too many for an argument come from `printf` through a pipe. A body that is read while it is sent
    /// (``upload``) is expected on the command's standard input.
    ///
    /// Masked by default: the values of credential fields (`[redacted]`), all query values (`***`), members of a JSON
    /// or form body whose names say that they are secret, long runs of hexadecimal digits in a body, and `secrets`
    /// wherever they stand.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether to mask nothing: for a command that is run at once, never for logs and reports.
    ///   - secrets: Texts to mask, whatever their letter case; also as they stand percent-encoded, in JSON and in Base64.
    public func curlCommand(showingSecrets: Bool = false, secrets: [Secret] = []) -> String {
        CurlCommand(self, scrubber: showingSecrets ? nil : SecretScrubber(secrets: secrets.map(\.value))).text
    }
}

extension RequestBuilder {
    /// A command for a POSIX shell that sends this request with the `curl` tool; see
    /// ``TransportRequest/curlCommand(showingSecrets:secrets:)-(_,[Secret])``. Nothing is sent.
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
        return request.curlCommand(
            showingSecrets: showingSecrets,
            secrets: pipeline.authorizer.secrets.map { Secret($0) }
        )
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
