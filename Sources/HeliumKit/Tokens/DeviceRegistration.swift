/// The data that a client keeps about its registration with one server (Docs/Protocols/Middleware.md §3.3 and §4).
public struct DeviceRegistration: Sendable, Hashable {
    /// The device id that the server issued; `nil` before the registration, and after the server has deleted the
    /// device.
    ///
    /// It is treated as a secret and does not appear in descriptions.
    public var token: String?
    /// The server's clock minus the client's, measured from the `timestamp` of a response. Default: zero.
    public var clockOffset: Duration
    /// The ``DeviceInfo/sha256()`` of the description that the server has; `nil` if this client has not sent one.
    public var deviceInfoHash: String?

    /// Creates a registration.
    public init(token: String? = nil, clockOffset: Duration = .zero, deviceInfoHash: String? = nil) {
        self.token = token
        self.clockOffset = clockOffset
        self.deviceInfoHash = deviceInfoHash
    }

    /// Deletes `token`, and the hash of the description sent for it, if it is still the current token. The clock offset
    /// is kept. Only the token that the failed request used is invalidated (Docs/Protocols/Middleware.md §8).
    ///
    /// - Returns: Whether it was the current one. For implementers of ``TokenStore``.
    public mutating func clear(token: String) -> Bool {
        guard self.token == token else { return false }
        self.token = nil
        deviceInfoHash = nil
        return true
    }

    /// Whether the registration can be stored: its token is `nil` or has 1 to 1024 printable ASCII characters, as a
    /// header field requires.
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

    // Readable JSON without loss of precision: a `Double` of seconds would be rounded, and `Duration`'s own encoding is
    // a pair of halves.
    private struct Offset: Codable {
        let seconds: Int64
        let attoseconds: Int64
    }

    /// Decodes the format of ``encode(to:)``.
    ///
    /// - Throws: `DecodingError`, also for a token that is not allowed in a header field.
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

    /// Encodes `token`, `clockOffset` (`seconds`, `attoseconds`) and `deviceInfoHash`. Values that are `nil` are left
    /// out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(token, forKey: .token)
        // A duration may have more seconds than its components can.
        let (seconds, attoseconds) = min(max(clockOffset, .seconds(Int64.min)), .seconds(Int64.max)).components
        try container.encode(Offset(seconds: seconds, attoseconds: attoseconds), forKey: .clockOffset)
        try container.encodeIfPresent(deviceInfoHash, forKey: .deviceInfoHash)
    }
}

extension DeviceRegistration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A description that shows whether there is a token, but not the token itself.
    public var description: String {
        let state = token == nil ? "none" : "redacted"
        return "DeviceRegistration(token: \(state), clockOffset: \(clockOffset), hasInfoHash: \(deviceInfoHash != nil))"
    }

    /// The same text as `description`.
    public var debugDescription: String { description }

    /// No children, so that `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
