internal import AppNetServer
internal import CosmServer
internal import HTTPTypes
internal import HeliumServerKit
internal import Logging

/// The server's protocols without sockets, for measurements of what a request costs. Everything is kept in memory.
package struct OfflineServer: Sendable {
    /// The key that may do everything in Cosm.
    package let cosmKey: String
    /// A token with all scopes of the first user.
    package let userToken: String
    /// The app's own token.
    package let appToken: String

    private let handler: RequestHandler

    /// Opens the stores.
    ///
    /// - Throws: ``EmbeddedServerError`` if a store cannot be made.
    package init() throws {
        let server = try EmbeddedServer()
        handler = server.handler
        let information = try server.startInMemory()
        cosmKey = information.cosm.key
        userToken = information.appNet.users.first?.token ?? ""
        appToken = information.appNet.appToken
    }

    /// The calls of App.net and of pnut.io, with `1` in place of each parameter of a path.
    package static let appNetCalls = AppNetService.calls

    /// Answers a request as the server does behind its HTTP layer: judges its head, reads its body, answers and finishes
    /// the response.
    ///
    /// - Returns: the status and the body of the response
    @discardableResult
    package func answer(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: [UInt8] = []
    ) async -> (status: Int, body: [UInt8]) {
        var headers: HTTPFields = [:]
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        let request = ServerRequest(
            method: HTTPRequest.Method(method) ?? .get,
            target: target,
            host: "127.0.0.1",
            socketScheme: "http",
            fields: headers,
            address: "127.0.0.1"
        )
        // A body that is in memory can be read.
        guard let reply = try? await handler.respond(to: request, BufferedBody(body)).reply else { return (500, []) }
        return (reply.status.code, reply.body)
    }
}
