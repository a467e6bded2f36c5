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

    private let protocols: [any ServerProtocol]

    /// Opens the stores.
    ///
    /// - Throws: ``EmbeddedServerError`` if a store cannot be made.
    package init() throws {
        let server = try EmbeddedServer()
        protocols = server.protocols
        let address = ServerAddress(host: "127.0.0.1", port: 80, isSecure: false, ownPort: 80)
        cosmKey = server[CosmService.self].start(at: address)?.key ?? ""
        let appNet = server[AppNetService.self].start(at: address)
        userToken = appNet?.users.first?.token ?? ""
        appToken = appNet?.appToken ?? ""
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
        var request = ServerRequest(
            method: HTTPRequest.Method(method) ?? .get,
            target: target,
            host: "127.0.0.1",
            socketScheme: "http",
            fields: headers,
            body: [],
            address: "127.0.0.1",
            faults: ActiveFaults()
        )
        guard !request.holdsLongMarkRun else { return (400, []) }
        guard let service = protocols.first(where: { $0.handles(request.path) }) else { return (404, []) }
        let reply: ServerReply
        switch await service.admission(of: request, limits: ServerLimits()) {
        case .refused(let refusal): reply = refusal
        case .read:
            request.body = body
            reply = await service.respond(to: request)
        }
        let finished = ReplyFinisher.finish(reply, method: request.method, fields: headers)
        return (finished.status.code, finished.body)
    }
}
