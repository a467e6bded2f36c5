internal import HeliumCore
public import HeliumEssentials

/// Which device this client is, where it registers, and where its token is kept.
public struct DeviceConfiguration: Sendable {
    /// The devices URL: POST registers, PUT to `URL/id` updates (middleware.md section 3).
    public var url: URL

    /// The description that is registered. When it differs from the one registered last, it is updated.
    public var info: DeviceInfo

    /// Where token, clock offset and the description's hash are kept between runs. Default: memory only.
    public var store: any TokenStore

    /// The longest that one registration or update may take. It belongs to no single call: a call waits for it within
    /// its own time limit. Default: 60 seconds, as in the original.
    public var timeout: Duration = .seconds(60)

    /// When the server's clock is believed.
    public var clockCorrection = ClockCorrectionPolicy()

    /// A device.
    ///
    /// - Parameters:
    ///   - url: The devices URL, without query or fragment.
    ///   - info: The description to register.
    ///   - store: Where the token is kept. Default: memory only, so every run registers a new device.
    public init(url: URL, info: DeviceInfo, store: any TokenStore = MemoryTokenStore()) {
        self.url = url
        self.info = info
        self.store = store
    }
}
