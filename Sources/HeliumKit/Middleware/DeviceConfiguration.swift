internal import HeliumCore
public import HeliumEssentials

/// The device of a client: its description, the URL where it registers, and the store of its token.
public struct DeviceConfiguration: Sendable {
    /// The devices URL: POST registers a device, PUT to `URL/id` updates it (Docs/Protocols/Middleware.md §3).
    public var url: URL

    /// The description that is registered. If it differs from the one registered last, it is updated.
    public var info: DeviceInfo

    /// The store that keeps the token, the clock offset and the description's hash between runs. Default: memory only.
    public var store: any TokenStore

    /// The time limit of one registration or update. It is shared by all calls: each call waits for it within its own
    /// time limit. Default: 60 seconds, as in the original library.
    public var timeout: Duration = .seconds(60)

    /// The conditions under which the server's clock is accepted.
    public var clockCorrection = ClockCorrectionPolicy()

    /// Creates a device configuration.
    ///
    /// - Parameters:
    ///   - url: The devices URL, without query or fragment.
    ///   - info: The description to register.
    ///   - store: The store of the token. Default: memory only, so every run registers a new device.
    public init(url: URL, info: DeviceInfo, store: any TokenStore = MemoryTokenStore()) {
        self.url = url
        self.info = info
        self.store = store
    }
}
