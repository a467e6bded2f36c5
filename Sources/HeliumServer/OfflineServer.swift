internal import HTTPTypes
internal import Logging

/// The server's services without sockets, for measurements of what a request costs. Everything is kept in memory.
package struct OfflineServer: Sendable {
    /// The key that may do everything in Cosm.
    package let cosmKey: String
    /// A token with all scopes of the first user.
    package let userToken: String
    /// The app's own token.
    package let appToken: String

    private let services: [any ProtocolService]

    /// Opens the stores.
    ///
    /// - Throws: ``EmbeddedServerError`` where a store cannot be made.
    package init() throws {
        let server = try EmbeddedServer()
        services = server.services
        cosmKey = server.cosm.state.store.masterKey
        let credentials = server.appNet.state.store.credentials
        userToken = credentials.users.first?.token ?? ""
        appToken = credentials.appToken
    }

    /// The calls of App.net and of pnut.io, with `1` in place of each parameter of a path.
    package static let appNetCalls: [(method: String, path: String)] =
        AppNetRoutes.all.filter { $0.area == .api }.flatMap { calls($0.methods, "/stream/0", $0.pattern) }
        + PnutRoutes.all.flatMap { calls($0.methods, "/v1", $0.pattern) }

    private static func calls(
        _ methods: [HTTPRequest.Method],
        _ root: String,
        _ pattern: AppNetPattern
    ) -> [(method: String, path: String)] {
        let path = pattern.parts.map { part in
            if case .literal(let text) = part { "/\(text)" } else { "/1" }
        }
        return methods.map { ($0.rawValue, root + path.joined()) }
    }

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
        guard let service = services.first(where: { $0.handles(request.path) }) else { return (404, []) }
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
