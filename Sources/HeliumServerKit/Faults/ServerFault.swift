/// Something that goes wrong on purpose. Several may act on one request.
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

    /// A signed key is answered with 401 `KeyExpired`, as if it was too old: before its secret, its signature and its
    /// device are looked at.
    public static let keyExpired = Self(effect: .keyExpired)
    /// The device that signs the request is forgotten before its key is checked: 401 `DeviceIdInvalid`, and it stays
    /// forgotten.
    public static let forgetDevice = Self(effect: .forgetDevice)
    /// All devices are forgotten before the key is checked, and stay forgotten.
    public static let forgetAllDevices = Self(effect: .forgetAllDevices)
    /// The device counts as disabled: 403 `TemporaryDisabled`.
    public static let disabledDevice = Self(effect: .disableDevice)
    /// The key's secret counts as disabled: 401 `KeyInvalid`.
    public static let disabledSecret = Self(effect: .disableSecret)
    /// 401 `KeyExpired` without the `timestamp` header by which a client could correct its clock.
    public static let keyExpiredWithoutTimestamp = [Self.keyExpired, .missingTimestamp]
    /// Whatever is answered lacks the `timestamp` header.
    public static let missingTimestamp = Self(effect: .missingTimestamp)
    /// The connection (over HTTP/2: the stream) closes in the middle of the answer's body.
    public static let cut = Self(effect: .cut)
    /// The answer's document ends in its middle, as if that was all of it: its length is told rightly, and it is no
    /// JSON.
    public static let brokenDocument = Self(effect: .brokenDocument)
    /// 503 with the text `I'm busy right now, sorry.` (§5.1); the request has no other effect.
    public static let busy = Self(effect: .busy)
    /// 401 with a page of HTML, as a proxy would answer; the request has no other effect.
    public static let unauthorizedHTML = Self(effect: .unauthorizedHTML)
    /// 413 in the envelope, however small the body; the request has no other effect.
    public static let payloadTooLarge = Self(effect: .payloadTooLarge)

    /// The answer has this status (200 to 599; others become 500) and says so in the protocol's form of a
    /// failure; the request has no other effect.
    public static func status(_ code: Int) -> Self { Self(effect: .status(200...599 ~= code ? code : 500)) }

    /// The server's clock is `offset` ahead (negative: behind) for the key check and the `timestamp` header.
    public static func clockOffset(_ offset: Duration) -> Self { Self(effect: .clockOffset(offset)) }

    /// The answer, made as usual, waits for `delay` (at most 10 minutes) before its first byte leaves.
    public static func delay(_ delay: Duration) -> Self { Self(effect: .delay(min(delay, .seconds(600)))) }
}
