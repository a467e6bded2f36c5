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
}

extension ReadyInformation: Decodable {
    /// Decodes the line that `helium serve` prints.
    public init(from decoder: any Decoder) throws {
        try self.init(from: decoder, protocols: EmbeddedServer.protocolTypes)
    }
}
