public import HeliumServer

/// An embedded server that listens, as ``withEmbeddedServer(_:logger:isolation:_:)`` hands it to a test.
public struct RunningServer: Sendable {
    /// The server itself.
    public let server: EmbeddedServer
    /// Its URLs and its test credentials.
    public let ready: ReadyInformation

    /// Faults on demand.
    public var faults: FaultControl { server.faults }
    /// The requests it answered.
    public var requests: RequestLog { server.requests }
    /// A look into the middleware, and changes to it.
    public var middleware: MiddlewareControl { server.middleware }
    /// A look into Cosm, and changes to it.
    public var cosm: CosmControl { server.cosm }
    /// A look into App.net, and changes to it.
    public var appNet: AppNetControl { server.appNet }
    /// Looks into Jetstream's scopes and changes them.
    public var jetstream: JetstreamControl { server.jetstream }
    /// Looks into the time series of ConAir and changes it.
    public var conAir: ConAirControl { server.conAir }
}
