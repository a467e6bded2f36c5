internal import HTTPTypes

/// What a 401 says about the token (RFC 6750 section 3).
enum BearerChallenge {
    /// Whether another token may help: so says a challenge with `error="invalid_token"`, and so do all 401s that name no
    /// error. A `Bearer` challenge with another error blames the request.
    static func blamesToken(_ head: ResponseHead) -> Bool {
        let errors = head.fields[values: .wwwAuthenticate].compactMap(error(in:))
        return errors.isEmpty || errors.contains { $0.hasSameBytes(as: "invalid_token") }
    }

    /// The value of `error` in a `Bearer` challenge, in lower case; `nil` if there is none. One field may have several
    /// challenges (RFC 9110 section 11.6.1): a name without a value begins one.
    static func error(in field: String) -> String? {
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
