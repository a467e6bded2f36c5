package import GRDB
internal import HTTPTypes
package import HeliumCore
package import HeliumDatabase
package import Logging

/// A protocol that the embedded server speaks: how it is configured, what it stores, what it answers over HTTP and over live
/// connections, what it does in the background, and how users of the server see it.
///
/// A new protocol is a target of its own with a type that conforms to this, and an entry of
/// `EmbeddedServer.protocolTypes` in HeliumServer. Its public properties (`server.cosm`, `configuration.cosm`, `ready.cosm`) are
/// extensions in its own target, which read the values below by the protocol's type.
package protocol ServerProtocol: Sendable {
    /// The settings that users of the server make.
    associatedtype Configuration: ServerProtocolConfiguration
    /// The object with which tests look into the protocol and change it while the server runs.
    associatedtype Control: Sendable
    /// The protocol's member of the ready line.
    associatedtype Information: ReadyMember

    /// The name of the member in the ready line.
    static var name: String { get }

    /// The migrations that make the protocol's tables. Their names begin with the protocol's name, because all protocols
    /// share a file.
    static var migrator: DatabaseMigrator { get }

    /// Prepares the store. Nothing listens yet.
    ///
    /// - Throws: GRDB's `DatabaseError`, or `CryptoError` if no credentials can be made.
    init(_ configuration: Configuration, _ environment: ServerEnvironment) throws

    /// The object with which tests look into the protocol.
    var control: Control { get }

    /// The live connections of the protocol; `nil` if it has none.
    var live: LiveServer? { get }

    /// Called once, when the server listens and before its first request.
    ///
    /// - Returns: The protocol's member of the ready line; `nil` if its URLs cannot be made from the address.
    func start(at address: ServerAddress) -> Information?

    /// Does the work that no request asks for, until the task is cancelled. By default there is none.
    func runInBackground() async

    // MARK: HTTP

    /// Whether requests for `path` (as encoded, without a query) belong to this protocol.
    func handles(_ path: Substring) -> Bool

    /// The response, in the protocol's own form, to a request that was refused for a reason outside of the protocol.
    func reply(to refusal: RequestRefusal, for path: Substring) -> ServerReply

    /// Judges a request by its head, before its body is read.
    ///
    /// - Parameter head: The request with an empty body.
    func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission

    /// Responds to a request. Failures are responses too.
    func respond(to request: ServerRequest) async -> ServerReply

    // MARK: WebSockets

    /// Whether the protocol has WebSockets at `path`. By default there are none.
    func hasLiveEndpoint(at path: Substring) -> Bool

    /// Decides on a valid handshake at one of the protocol's live endpoints. By default it is refused with 404.
    func admission(of handshake: ServerRequest) async -> LiveAdmission
}

extension ServerProtocol {
    package var live: LiveServer? { nil }

    package func runInBackground() async {}

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
    /// The default settings.
    init()

    /// Checks the settings.
    ///
    /// - Throws: ``EmbeddedServerError`` for values that no server can run with.
    func validate(limits: ServerLimits) throws(EmbeddedServerError)
}

/// A protocol's member of the ready line: its URLs and the credentials for tests.
///
/// Its description and its mirror show no credentials.
package protocol ReadyMember: Codable, Hashable, Sendable, CustomStringConvertible, CustomReflectable {}

/// What a protocol gets from the server that it is part of.
package struct ServerEnvironment: Sendable {
    /// The protocol's store: the file that all protocols share, or a database in memory of its own. The protocol's
    /// migrations have been applied.
    package let access: DatabaseAccess
    /// Whether the store is a file. Otherwise it is gone with the server.
    package let isPersistent: Bool
    package let random: RandomSource
    package let faults: FaultControl
    package let limits: ServerLimits
    package let logger: Logger
}
