internal import HTTPTypes
internal import HeliumCore
internal import HeliumCrypto
internal import HeliumEssentials

extension RegistrationState.Credential {
    /// Signs a request with the current time and replaces a key that it may carry.
    ///
    /// - Parameter uploadHash: The hash of a body that is read while it is sent, if the signature includes it.
    func sign(_ request: inout TransportRequest, now: Duration, uploadHash: SHA256.Digest? = nil) {
        let body = request.body.flatMap { $0.isEmpty ? nil : $0 }
        let input = SignatureInput(
            method: request.method.rawValue,
            scheme: request.url.origin.scheme,
            host: request.url.origin.hostHeader,
            target: request.url.target,
            contentType: body == nil ? nil : request.fields[.contentType]
        )
        // Whole seconds, rounded down (Docs/Protocols/Middleware.md §4).
        let timestamp = (now + clockOffset).components.seconds
        let key =
            if let uploadHash {
                signer.key(for: input, bodyHash: uploadHash, at: timestamp)
            } else {
                signer.key(for: input, body: body, at: timestamp)
            }
        request.fields.set(HTTPField(name: .middlewareKey, value: key))
    }
}
