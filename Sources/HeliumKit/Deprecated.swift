public import HeliumCore
public import HeliumEssentials

// Former forms of public API. Each forwards to its replacement.

extension Authorizer where Self == FieldAuthorizer {
    /// The former form of `bearer(_:)`, with the token as a `String`.
    @available(*, deprecated, message: "pass a Secret: .bearer(Secret(token))")
    @_disfavoredOverload
    public static func bearer(_ token: String) throws(HeliumError) -> FieldAuthorizer { try bearer(Secret(token)) }

    /// The former form of `apiKey(_:field:)`, with the key as a `String`.
    @available(*, deprecated, message: "pass a Secret: .apiKey(Secret(key), field:)")
    @_disfavoredOverload
    public static func apiKey(_ key: String, header: String = "X-API-Key") throws(HeliumError) -> FieldAuthorizer {
        try apiKey(Secret(key), field: header)
    }
}

extension HeliumConfiguration {
    /// The former form of `init(secret:secretID:baseURL:acceptableStatusCodes:device:)`, with the secret as a `String`.
    @available(*, deprecated, message: "pass a Secret: HeliumConfiguration(secret: Secret(text), …)")
    @_disfavoredOverload
    public init(
        secret: String,
        secretID: String,
        baseURL: URL,
        acceptableStatusCodes: Range<Int> = 200..<300,
        device: DeviceConfiguration
    ) {
        self.init(
            secret: Secret(secret),
            secretID: secretID,
            baseURL: baseURL,
            acceptableStatusCodes: acceptableStatusCodes,
            device: device
        )
    }
}
