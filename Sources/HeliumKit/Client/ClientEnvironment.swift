public import HeliumCore

/// What a client takes from its surroundings: injectable, so that tests decide about time, chance and the network.
public struct ClientEnvironment: Sendable {
    /// The transport; `nil` makes the client's own, on libcurl. Closing the client shuts down either.
    public var transport: (any HTTPTransport)?

    /// The clock. Default: the machine's.
    public var clock: any HeliumClock = SystemClock()

    /// Random numbers, for the jitter of pauses. Default: the system's.
    public var random = RandomSource.system

    /// The machine's own.
    public init() {}

    /// The machine's own but for the transport.
    public init(transport: any HTTPTransport) { self.transport = transport }
}
