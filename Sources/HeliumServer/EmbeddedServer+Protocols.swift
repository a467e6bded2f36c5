internal import AppNetServer
internal import ConAirServer
internal import CosmServer
public import HeliumServerKit
internal import JetstreamHosting
public import Logging
internal import MiddlewareServer

extension EmbeddedServer {
    /// The protocols, in the order in which they are asked whether they own a path. Adding a protocol takes one entry
    /// here and one export.
    ///
    /// The middleware is last because it answers every path that no other protocol owns.
    static let protocolTypes: [any ServerProtocol.Type] = [
        CosmService.self, AppNetService.self, JetstreamService.self, ConAirService.self, MiddlewareService.self,
    ]

    /// Creates a server. It does not listen before ``run()``.
    ///
    /// - Parameters:
    ///   - configuration: The addresses to listen on and the settings of the protocols.
    ///   - logger: Receives failures and the listening address. Default: nothing is logged.
    /// - Throws: ``EmbeddedServerError`` for an invalid configuration or a store that cannot be opened.
    public convenience init(
        _ configuration: EmbeddedServerConfiguration = EmbeddedServerConfiguration(),
        logger: Logger = Logger(label: "helium.server") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        try self.init(configuration, protocols: Self.protocolTypes, logger: logger)
    }

    /// Returns what is wrong with a store, one line for each fault: rows that cannot be read, by table and id, scopes of
    /// Jetstream whose stored root is not of the class in the scope file, and what SQLite's integrity check finds. The
    /// result is empty for a store without faults.
    ///
    /// A server starts with a store with such rows and scopes, and leaves them out. The file is not changed, and a server may be
    /// using it. No line contains a value of the store. The time depends on the size of the file: all of it is read.
    ///
    /// - Parameters:
    ///   - path: The path of the file (``EmbeddedServerConfiguration/store``).
    ///   - configuration: The configuration of the server that uses the file, for the scopes of Jetstream. Default: the
    ///     default configuration.
    /// - Throws: ``EmbeddedServerError`` if the file cannot be opened or is not a store of this version.
    public static func problems(
        inStore path: String,
        configuration: EmbeddedServerConfiguration = EmbeddedServerConfiguration()
    ) throws(EmbeddedServerError) -> [String] {
        try problems(inStore: path, configuration: configuration, protocols: protocolTypes)
    }
}

extension ReadyInformation: Decodable {
    /// Decodes the line that `helium serve` prints.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, protocols: EmbeddedServer.protocolTypes)
    }
}
