public import HeliumServer

/// An embedded server that listens. ``withEmbeddedServer(_:logger:isolation:_:)`` passes it to a test.
public struct RunningServer: Sendable {
    /// The server itself.
    public let server: EmbeddedServer
    /// The server's URLs and test credentials.
    public let ready: ReadyInformation

    /// The control for injecting faults.
    public var faults: FaultControl { server.faults }
    /// The requests that the server answered.
    public var requests: RequestLog { server.requests }
    /// The control for reading and changing the state of the middleware.
    public var middleware: MiddlewareControl { server.middleware }
    /// The control for reading and changing the state of Cosm.
    public var cosm: CosmControl { server.cosm }
    /// The control for reading and changing the state of App.net.
    public var appNet: AppNetControl { server.appNet }
    /// The control for reading and changing Jetstream's scopes.
    public var jetstream: JetstreamControl { server.jetstream }
    /// The control for reading and changing ConAir's time series.
    public var conAir: ConAirControl { server.conAir }
}
