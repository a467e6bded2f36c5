public import HeliumCore
public import HeliumCurl
public import HeliumEssentials

/// What a client of the middleware needs to know.
public struct HeliumConfiguration: Sendable {
    /// The secret that signs requests.
    public var secret: Secret

    /// The secret's id: 32 lower-case hexadecimal characters. It is public.
    public var secretID: String

    /// Where requests go; its own path is kept in front of every request's.
    public var baseURL: URL

    /// The device this client is.
    public var device: DeviceConfiguration

    /// Everything that has a default.
    public var options = ClientOptions()

    /// How connections are made and kept.
    public var connection = CurlTransport.Configuration()

    /// Clock, chance and transport.
    public var environment = ClientEnvironment()

    /// A configuration for the middleware: its envelope, its signatures.
    ///
    /// - Parameters:
    ///   - secret: The secret that signs requests; it is never shown, logged or stored.
    ///   - secretID: The secret's id, 32 lower-case hexadecimal characters.
    ///   - baseURL: Where requests go.
    ///   - acceptableStatusCodes: The statuses that count as success. Default: 200 ..< 300.
    ///   - device: The device this client is.
    public init(
        secret: Secret,
        secretID: String,
        baseURL: URL,
        acceptableStatusCodes: Range<Int> = 200..<300,
        device: DeviceConfiguration
    ) {
        self.secret = secret
        self.secretID = secretID
        self.baseURL = baseURL
        self.device = device
        options.acceptableStatusCodes = acceptableStatusCodes
        options.envelope = .middleware
    }
}
