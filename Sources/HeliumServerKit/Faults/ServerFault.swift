/// A failure that the server simulates. Several can apply to one request.
public struct ServerFault: Hashable, Sendable {
    package enum Effect: Hashable, Sendable {
        case keyExpired, forgetDevice, forgetAllDevices, disableDevice, disableSecret
        case clockOffset(Duration)
        case delay(Duration)
        case cut, brokenDocument
        case busy, unauthorizedHTML, payloadTooLarge
        case missingTimestamp
        case status(Int)
    }

    let effect: Effect

    /// The response to a request with a signed key is 401 `KeyExpired`, as if the key was too old. The server does not
    /// check the secret, the signature and the device first.
    public static let keyExpired = Self(effect: .keyExpired)
    /// The server deletes the device that signs the request before it checks the key. The response is 401
    /// `DeviceIdInvalid`, and the device stays deleted.
    public static let forgetDevice = Self(effect: .forgetDevice)
    /// The server deletes all devices before it checks the key. They stay deleted.
    public static let forgetAllDevices = Self(effect: .forgetAllDevices)
    /// The server treats the device as disabled. The response is 403 `TemporaryDisabled`.
    public static let disabledDevice = Self(effect: .disableDevice)
    /// The server treats the key's secret as disabled. The response is 401 `KeyInvalid`.
    public static let disabledSecret = Self(effect: .disableSecret)
    /// The response is 401 `KeyExpired` without the `timestamp` header that a client uses to correct its clock.
    public static let keyExpiredWithoutTimestamp = [Self.keyExpired, .missingTimestamp]
    /// The response has no `timestamp` header.
    public static let missingTimestamp = Self(effect: .missingTimestamp)
    /// The connection (over HTTP/2, the stream) closes in the middle of the response body.
    public static let cut = Self(effect: .cut)
    /// The document of the response is truncated. Its length is announced correctly, but it is not valid JSON.
    public static let brokenDocument = Self(effect: .brokenDocument)
    /// The response is 503 with the text `I'm busy right now, sorry.` (Docs/Protocols/Middleware.md §5.1). The request
    /// has no other effect.
    public static let busy = Self(effect: .busy)
    /// The response is 401 with an HTML page, as from a proxy. The request has no other effect.
    public static let unauthorizedHTML = Self(effect: .unauthorizedHTML)
    /// The response is 413 in the envelope, regardless of the size of the body. The request has no other effect.
    public static let payloadTooLarge = Self(effect: .payloadTooLarge)

    /// The response has this status and an error in the format of the protocol. Codes outside 200 to 599 become 500.
    /// The request has no other effect.
    public static func status(_ code: Int) -> Self { Self(effect: .status(200...599 ~= code ? code : 500)) }

    /// The server's clock is `offset` ahead (negative: behind) for the key check and the `timestamp` header. More than a
    /// century counts as a century.
    public static func clockOffset(_ offset: Duration) -> Self { Self(effect: .clockOffset(offset)) }

    /// The response is delayed by `delay` (at most 10 minutes) before its first byte. It is otherwise unchanged. A negative
    /// delay counts as none.
    public static func delay(_ delay: Duration) -> Self {
        Self(effect: .delay(min(max(delay, .zero), .seconds(600))))
    }
}
