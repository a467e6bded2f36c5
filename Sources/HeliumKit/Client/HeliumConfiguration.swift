public import HeliumCore
public import HeliumCurl
public import HeliumEssentials

/// The configuration of a client of the middleware.
public struct HeliumConfiguration: Sendable {
    /// The secret that signs requests.
    public var secret: Secret

    /// The secret's id: 32 lower-case hexadecimal characters. It is public.
    public var secretID: String

    /// The base URL. Its path is kept in front of every request's path.
    public var baseURL: URL

    /// The device of this client.
    public var device: DeviceConfiguration

    /// The settings that have a default.
    public var options = ClientOptions()

    /// The configuration of connections.
    public var connection = CurlTransport.Configuration()

    /// The clock, the random source and the transport.
    public var environment = ClientEnvironment()

    /// Creates a configuration for the middleware, with its envelope and signatures.
    ///
    /// - Parameters:
    ///   - secret: The secret that signs requests. It is never shown, logged or stored.
    ///   - secretID: The secret's id, 32 lower-case hexadecimal characters.
    ///   - baseURL: The base URL of requests.
    ///   - acceptableStatusCodes: The statuses that count as success. Default: 200 ..< 300.
    ///   - device: The device of this client.
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
