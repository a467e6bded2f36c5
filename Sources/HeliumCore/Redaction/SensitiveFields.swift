package import HTTPTypes

/// The header fields whose values are credentials.
package enum SensitiveFields {
    private static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "key", "session", "x-apikey", "x-api-key",
        "api-key", "apikey", "x-auth-token", "www-authenticate", "proxy-authenticate",
    ]

    /// Returns whether the value of this field must not be shown. That is the case for well-known credential fields and
    /// for names that indicate a credential, such as `X-Goog-Api-Key` and `Ocp-Apim-Subscription-Key`. An
    /// `Idempotency-Key` is not a credential.
    package static func contains(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        if names.contains(name) { return true }
        if name.hasSuffix("-key") || name.hasSuffix("apikey") { return name != "idempotency-key" }
        return ["secret", "token", "password", "signature"].contains { name.contains($0) }
    }
}
