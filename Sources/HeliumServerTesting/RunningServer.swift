public import HeliumServer

/// An embedded server that listens. ``withEmbeddedServer(_:logger:isolation:_:)`` passes it to a test.
public struct RunningServer: Sendable {
    /// The server itself.
    public let server: EmbeddedServer
    /// The server's URLs and test credentials.
    public let ready: ReadyInformation

    /// Sets the faults that the server injects.
    public var faults: FaultControl { server.faults }
    /// The requests that the server answered.
    public var requests: RequestLog { server.requests }
    /// Reads and changes the state of the middleware.
    public var middleware: MiddlewareControl { server.middleware }
    /// Reads and changes the state of Cosm.
    public var cosm: CosmControl { server.cosm }
    /// Reads and changes the state of App.net.
    public var appNet: AppNetControl { server.appNet }
    /// Reads and changes Jetstream's scopes.
    public var jetstream: JetstreamControl { server.jetstream }
    /// Reads and changes ConAir's time series.
    public var conAir: ConAirControl { server.conAir }
}
