extension TransportRequest {
    /// Returns a command for a POSIX shell that sends this request with the `curl` tool, byte for byte like
    /// `CurlTransport`.
    ///
    /// Options that the request does not need are left out. Fields that the tool would add are removed. The user's
    /// `.curlrc` and proxies are ignored. Text is in single quotes. Bytes that are not text, that a terminal would not
    /// show, or that are too many for an argument come from `printf` through a pipe. A body that is read while it is
    /// sent (``upload``) is expected on the command's standard input.
    ///
    /// Masked by default are: the values of credential fields (`[redacted]`), all values of a query or a form
    /// (`***`), members of a JSON body whose names indicate a secret, long runs of hexadecimal digits in a body, and all occurrences
    /// of `secrets`.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether to mask nothing. Use it only for a command that is run at once, never for logs and
    ///     reports.
    ///   - secrets: Texts to mask, ignoring letter case, including their percent-encoded, JSON and Base64 forms.
    public func curlCommand(showingSecrets: Bool = false, secrets: [Secret] = []) -> String {
        curlCommand(showingSecrets: showingSecrets, secrets: secrets, leavesOutBody: false)
    }

    fileprivate func curlCommand(showingSecrets: Bool, secrets: [Secret], leavesOutBody: Bool) -> String {
        let scrubber = showingSecrets ? nil : SecretScrubber(secrets: secrets.map(\.value))
        return CurlCommand(self, scrubber: scrubber, leavesOutBody: leavesOutBody).text
    }
}

extension RequestBuilder {
    /// Returns a command for a POSIX shell that sends this request with the `curl` tool; see
    /// ``TransportRequest/curlCommand(showingSecrets:secrets:)``. It does not send the request.
    ///
    /// - Parameters:
    ///   - showingSecrets: Whether to mask nothing. Default: credentials, query values and all ``Authorizer/secrets``
    ///     of the client's authorizer are masked.
    ///   - authorized: Whether the authorizer adds its credentials. It may have to send requests for that, such as a
    ///     device registration or a token refresh. Default: the request before its authorization.
    /// - Throws: ``HeliumError`` for a request that can't be built or authorized; `CancellationError`.
    public func curlCommand(showingSecrets: Bool = false, authorized: Bool = false) async throws -> String {
        try await curlCommand(showingSecrets: showingSecrets, authorized: authorized, leavesOutBody: false)
    }

    /// The same, for a caller that may add the options of the body, such as those of a form.
    package func curlCommand(showingSecrets: Bool, authorized: Bool, leavesOutBody: Bool) async throws -> String {
        let prepared = try prepared(isStream: false)
        let request = authorized ? try await authorize(prepared) : prepared.request
        return request.curlCommand(
            showingSecrets: showingSecrets,
            secrets: pipeline.authorizer.secrets.map { Secret($0) },
            leavesOutBody: leavesOutBody
        )
    }

    private func authorize(_ prepared: PreparedRequest) async throws -> TransportRequest {
        let began = pipeline.clock.uptime
        let deadline = Deadline(after: prepared.request.timeouts.total, from: began, clock: pipeline.clock)
        let call = Call(prepared: prepared, deadline: deadline, began: began)
        do throws(HeliumError) {
            var request = try await pipeline.authorized(prepared.request, call: call)
            // The command receives the full time limit of the call, not the time left after authorizing.
            request.timeouts = prepared.request.timeouts
            return request
        } catch {
            throw Pipeline.surfaced(error)
        }
    }
}
