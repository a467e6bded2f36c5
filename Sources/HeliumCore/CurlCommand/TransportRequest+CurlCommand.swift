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
    public func curlCommand(showingSecrets: Bool = false, secrets: [String] = []) -> String {
        CurlCommand(self, scrubber: showingSecrets ? nil : SecretScrubber(secrets: secrets)).text
    }
}
