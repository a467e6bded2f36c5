package import GRDB
internal import HTTPTypes
package import HeliumCore
package import HeliumDatabase
package import Logging

/// A protocol that the embedded server supports: its configuration, its storage, its responses over HTTP and live
/// connections, its background work, and its public interface.
///
/// A new protocol is a separate target with a type that conforms to this protocol, and an entry in
/// `EmbeddedServer.protocolTypes` in HeliumServer. Its public properties (`server.cosm`, `configuration.cosm`,
/// `ready.cosm`) are extensions in its own target. They read the values below by the protocol's type.
package protocol ServerProtocol: Sendable {
    /// The settings for users of the server.
    associatedtype Configuration: ServerProtocolConfiguration
    /// The object that tests use to read and change the protocol's state while the server runs.
    associatedtype Control: Sendable
    /// The protocol's member of the ready line.
    associatedtype Information: ReadyMember

    /// The name of the member in the ready line.
    static var name: String { get }

    /// The migrations that create the protocol's tables. Their names begin with the protocol's name, because all
    /// protocols share a file.
    static var migrator: DatabaseMigrator { get }

    /// All tables of the protocol, whose rows a check of a store decodes.
    static var storedTables: [StoredTable] { get }

    /// Returns the parts of a store that a server with a configuration would not serve, one line for each, without values
    /// of the store. The default implementation returns none.
    static func problems(of configuration: Configuration, in database: Database) throws -> [String]

    /// Prepares the store. The server does not listen yet.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` if credentials cannot be created.
    init(_ configuration: Configuration, _ environment: ServerEnvironment) throws

    /// The object that tests use to read and change the protocol's state.
    var control: Control { get }

    /// The live connections of the protocol; `nil` if it has none.
    var live: LiveServer? { get }

    /// Called once, after the server has begun to listen and before its first request.
    ///
    /// - Returns: The protocol's member of the ready line; `nil` if its URLs cannot be created from the address.
    func start(at address: ServerAddress) -> Information?

    /// Does background work until the task is cancelled. The default implementation does nothing.
    ///
    /// - Throws: ``StoreFault`` if the store cannot be used any more. The server then ends with an error.
    func runInBackground() async throws

    // MARK: HTTP

    /// Returns whether requests for `path` (not decoded, without a query) belong to this protocol.
    func handles(_ path: Substring) -> Bool

    /// Returns the response, in the protocol's own format, to a request that was rejected for a reason independent of
    /// the protocol.
    ///
    /// - Parameter request: The request with an empty body.
    func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply

    /// Decides on a request by its head, before its body is read.
    ///
    /// - Parameter head: The request with an empty body.
    func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission

    /// Responds to a request. Errors are responses too.
    func respond(to request: ServerRequest) async -> ServerReply

    // MARK: WebSockets

    /// Returns whether the protocol has WebSockets at `path`. The default implementation returns `false`.
    func hasLiveEndpoint(at path: Substring) -> Bool

    /// Decides on a valid handshake at one of the protocol's live endpoints. The default implementation rejects it with
    /// 404.
    func admission(of handshake: ServerRequest) async -> LiveAdmission
}

extension ServerProtocol {
    package static func problems(of configuration: Configuration, in database: Database) throws -> [String] { [] }

    package var live: LiveServer? { nil }

    package func runInBackground() async throws {}

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        BodyAdmission.read(maximumBytes: limits.bodyBytes, isProved: false)
    }

    package func hasLiveEndpoint(at path: Substring) -> Bool { false }

    package func admission(of handshake: ServerRequest) async -> LiveAdmission {
        .refused(ServerReply(status: .notFound))
    }
}

/// The settings of one protocol.
package protocol ServerProtocolConfiguration: Sendable {
    /// Creates the default settings.
    init()

    /// Checks the settings.
    ///
    /// - Throws: ``EmbeddedServerError`` for invalid values.
    func validate(limits: ServerLimits) throws(EmbeddedServerError)
}

/// A protocol's member of the ready line: its URLs and the credentials for tests.
///
/// Its description and its mirror do not contain credentials.
package protocol ReadyMember: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {}

/// The services of the server that a protocol uses.
package struct ServerEnvironment: Sendable {
    /// The protocol's store: the file that all protocols share, or the protocol's own database in memory. The
    /// protocol's migrations have been applied.
    package let access: DatabaseAccess
    /// Whether the store is a file. A store in memory is lost when the server ends.
    package let isPersistent: Bool
    package let random: RandomSource
    package let faults: FaultControl
    package let limits: ServerLimits
    package let logger: Logger
}
