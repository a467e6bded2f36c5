internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials

extension RegistrationState.Credential {
    /// Signs a request with the current time and replaces a key that it may carry.
    ///
    /// - Parameter uploadHash: The hash of a body that is read while it is sent, if the signature includes it.
    func sign(_ request: inout TransportRequest, now: Duration, uploadHash: SHA256.Digest? = nil) {
        let url = request.url
        // Whole seconds, rounded down (Docs/Protocols/Middleware.md §4).
        let timestamp = (now + clockOffset.withinCentury).components.seconds
        let key = signer.key(
            method: request.method.rawValue,
            at: timestamp,
            bodyHash: uploadHash ?? bodyHash(of: request)
        ) { text in
            text.append(contentsOf: url.origin.urlString.utf8)
            text.append(contentsOf: url.target.utf8)
        }
        request.fields.set(.middlewareKey, to: key)
    }

    /// Returns the hash of the request's body, if the signature includes it.
    private func bodyHash(of request: TransportRequest) -> SHA256.Digest? {
        guard let body = request.body, !body.isEmpty else { return nil }
        let input = SignatureInput(
            method: request.method.rawValue,
            scheme: request.url.origin.scheme,
            host: request.url.origin.hostHeader,
            target: request.url.target,
            contentType: request.fields[.contentType]
        )
        return body.withUnsafeBytes { signer.bodyHash(of: $0, for: input) }
    }
}
