internal import HTTPTypes

/// The error codes in a 401 response (RFC 6750 §3).
package enum BearerChallenge {
    /// Returns whether another token may help. That is the case for a challenge with `error="invalid_token"` and for
    /// every 401 that names no error. A `Bearer` challenge with another error is caused by the request.
    static func blamesToken(_ head: ResponseHead) -> Bool {
        let errors = head.fields[values: .wwwAuthenticate].compactMap(error(in:))
        return errors.isEmpty || errors.contains { $0.hasSameBytes(as: "invalid_token") }
    }

    /// Returns the value of `error` in a `Bearer` challenge, in lower case, or `nil` if there is none. One field may
    /// contain several challenges (RFC 9110 §11.6.1); a name without a value begins a new one.
    package static func error(in field: String) -> String? {
        var reader = FieldReader(field)
        var isBearer = false
        while !reader.isAtEnd {
            guard let name = reader.token()?.lowercased() else {
                reader.skipByte()
                continue
            }
            reader.skipSpace()
            guard reader.take("=") else {
                isBearer = name == "bearer"
                continue
            }
            reader.skipSpace()
            if let value = reader.value(), isBearer, name == "error" { return value.lowercased() }
        }
        return nil
    }
}
