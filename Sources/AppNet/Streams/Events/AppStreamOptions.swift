/// How an app stream is read.
public struct AppStreamOptions: Sendable {
    /// How its connection is made and kept.
    public var connection = StreamConnectionOptions()

    /// Whether the service drops what it has kept for the stream, on the first connection (§2.13). Default: no.
    public var dropsBacklog = false

    /// Whether the service deletes the stream as soon as its connection ends. Default: no.
    public var isAutoDeleted = false

    /// What the values carry (§2.14). Default: nothing besides what the client asks for.
    public var parameters = GeneralParameters()

    /// The most events that wait for the consumer; then nothing more is read until some are taken, and the service
    /// keeps them as long as it can. Default: 256.
    public var bufferLimit = 256

    /// The defaults.
    public init() {}
}
