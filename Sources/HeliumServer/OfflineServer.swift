internal import AppNetServer
internal import CosmServer
internal import HTTPTypes
package import HeliumServerKit
internal import Logging

/// The server's protocols without sockets, for measuring the cost of a request. All data is kept in memory.
package struct OfflineServer: Sendable {
    /// The key that has every permission in Cosm.
    package let cosmKey: String
    /// A token of the first user with all scopes.
    package let userToken: String
    /// The token of the app.
    package let appToken: String

    private let handler: RequestHandler

    /// Opens the stores.
    ///
    /// - Parameter watch: Measures the time of the requests in the stores.
    /// - Throws: ``EmbeddedServerError`` if a store cannot be made.
    package init(watching watch: StoreWatch? = nil) throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.storeWatch = watch
        let server = try EmbeddedServer(configuration)
        handler = server.handler
        let information = try server.startInMemory()
        cosmKey = information.cosm.key
        userToken = information.appNet.users.first?.token ?? ""
        appToken = information.appNet.appToken
    }

    /// The calls of App.net and of pnut.io. Each path parameter is replaced by `1`.
    package static let appNetCalls = AppNetService.calls

    /// Answers a request in the same way as the server does below its HTTP layer. Checks the head, reads the body,
    /// answers and finishes the response.
    ///
    /// - Returns: The status and the body of the response.
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
        // Reading a body that is in memory cannot fail.
        guard let reply = try? await handler.respond(to: request, BufferedBody(body)).reply else { return (500, []) }
        return (reply.status.code, reply.body)
    }
}
