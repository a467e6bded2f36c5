/// What a client remembers about its registration with one server (middleware.md §3.3, §4).
public struct DeviceRegistration: Sendable, Hashable {
    /// The device id that the server issued; nil before registration and after the server forgot the device.
    ///
    /// Treated like a token: in no description.
    public var token: String?
    /// The server's clock minus the client's, measured once from a reply's `timestamp`. Default: zero.
    public var clockOffset: Duration
    /// ``DeviceInfo/sha256()`` of the description that the server has; nil if it has none from us.
    public var deviceInfoHash: String?

    /// Collects the parts.
    public init(token: String? = nil, clockOffset: Duration = .zero, deviceInfoHash: String? = nil) {
        self.token = token
        self.clockOffset = clockOffset
        self.deviceInfoHash = deviceInfoHash
    }

    /// Forgets `token`, and the hash of what that device was told, if it is still the current one; the clock offset
    /// stays (middleware.md §8: only the token that the failed request used is invalidated).
    ///
    /// - Returns: Whether it was the current one. For implementers of ``TokenStore``.
    public mutating func clear(token: String) -> Bool {
        guard self.token == token else { return false }
        self.token = nil
        deviceInfoHash = nil
        return true
    }

    /// What may be stored: a token of 1 to 1024 printable ASCII characters, as a header value needs, or none.
    package var isStorable: Bool {
        guard let token else { return true }
        return (1...1024).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension DeviceRegistration: Codable {
    private enum CodingKeys: String, CodingKey {
        case token
        case clockOffset
        case deviceInfoHash
    }

    // Readable JSON, and exact: a Double of seconds would round, `Duration`'s own form is a pair of halves.
    private struct Offset: Codable {
        let seconds: Int64
        let attoseconds: Int64
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError`, also for a token that no header could carry.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let offset = try container.decode(Offset.self, forKey: .clockOffset)
        self.init(
            token: try container.decodeIfPresent(String.self, forKey: .token),
            clockOffset: Duration(secondsComponent: offset.seconds, attosecondsComponent: offset.attoseconds),
            deviceInfoHash: try container.decodeIfPresent(String.self, forKey: .deviceInfoHash)
        )
        guard isStorable else {
            throw DecodingError.dataCorruptedError(
                forKey: .token,
                in: container,
                debugDescription: "not a token"
            )
        }
    }

    /// Writes `token`, `clockOffset` (`seconds`, `attoseconds`) and `deviceInfoHash`; what is nil is left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(token, forKey: .token)
        let (seconds, attoseconds) = clockOffset.components
        try container.encode(Offset(seconds: seconds, attoseconds: attoseconds), forKey: .clockOffset)
        try container.encodeIfPresent(deviceInfoHash, forKey: .deviceInfoHash)
    }
}

extension DeviceRegistration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Tells whether there is a token, not which.
    public var description: String {
        let state = token == nil ? "none" : "redacted"
        return "DeviceRegistration(token: \(state), clockOffset: \(clockOffset), hasInfoHash: \(deviceInfoHash != nil))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// No children: `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
