internal import GRDB
internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// pnut.io's API at the edge (§6): a request becomes App.net's, its reply becomes pnut's. Between them is one server.
struct PnutDialect: Sendable {
    let state: AppNetState
    let endpoint: AppNetEndpoint

    func reply(to request: AppNetRequest) async -> ServerReply {
        do {
            let route = try PnutRoutes.match(request.segments, request.method).route
            var asked = try Self.routed(request)
            asked.body = try await translated(request, for: route)
            if route.pattern.description == "channels", request.method == .get, asked.parameters["ids"] == nil {
                throw AppNetFailure.badRequest("You must supply ids.")
            }
            var reply = await endpoint.reply(to: asked)
            if case .data(let data) = reply.answer.content {
                reply.answer.content = .data(translated(data, route, request))
            }
            return Self.written(reply, route, request)
        } catch let failure as AppNetFailure {
            return Self.refusal(failure, to: request)
        } catch {
            state.logger.error("A pnut request failed", metadata: ["error": "\(error)"])
            let failure = AppNetFailure(.internalServerError, "Internal Server Error: The server could not do it.")
            return Self.refusal(failure, to: request)
        }
    }

    /// App.net's form of a request's head.
    ///
    /// - Throws: ``AppNetFailure`` with 404 or 405.
    static func routed(_ request: AppNetRequest) throws(AppNetFailure) -> AppNetRequest {
        let (route, values) = try PnutRoutes.match(request.segments, request.method)
        var asked = request
        asked.isPnut = true
        asked.area = route.area
        asked.segments = route.segments(values)
        asked.parameters = PnutParameters.translated(request.parameters, for: route)
        if let method = route.method { asked.method = method }
        return asked
    }

    private func translated(_ request: AppNetRequest, for route: PnutRoute) async throws -> AppNetBody {
        // A form's document lacks the texts that are refused: the endpoint refuses the form itself.
        guard route.input != .plain, request.body.textFault == nil else { return request.body }
        switch request.body {
        case .json, .form:
            let document = try request.body.document()
            guard route.input == .markers else { return .json(route.input.translated(document, user: nil)) }
            guard case .array(let markers) = document, markers.count <= 10 else {
                throw AppNetFailure.badRequest("The body must be a list of at most 10 markers.")
            }
            return .json(route.input.translated(document, user: try await user(of: request)))
        default: return request.body
        }
    }

    /// The caller's id, which is in the names of some of App.net's markers.
    private func user(of request: AppNetRequest) async throws -> String? {
        guard let secret = request.token else { return nil }
        let token = try await state.store.read { try AppNetTokenTable(database: $0).token(secret) }
        return token?.user.map { String($0) }
    }

    // MARK: Replies

    /// A refusal in pnut's form.
    static func refusal(_ failure: AppNetFailure, to request: AppNetRequest) -> ServerReply {
        written(.refusal(failure, errorID: ""), nil, request)
    }

    private static func written(_ reply: AppNetReply, _ route: PnutRoute?, _ request: AppNetRequest) -> ServerReply {
        var answer = reply.answer
        let data: JSONValue?
        switch answer.content {
        case .reply(let whole): return whole
        case .bare(let value):
            return reply.fields.applied(to: document(withUser(value), answer.status, request), answer.fields)
        case .none: data = nil
        case .data(let value): data = value
        }
        if reply.failure == nil, let route, answer.status == .ok { answer.status = route.status }
        guard data != nil || reply.failure != nil || !answer.meta.isEmpty else {
            return reply.fields.applied(to: ServerReply(status: answer.status), answer.fields)
        }
        var members: JSONObject = ["meta": .object(meta(answer, reply.failure))]
        if let data { members["data"] = data }
        return reply.fields.applied(to: document(.object(members), answer.status, request), answer.fields)
    }

    private func translated(_ value: JSONValue, _ route: PnutRoute, _ request: AppNetRequest) -> JSONValue {
        let data = route.output.translated(value)
        if route.output == .stream { return withEndpoint(data) }
        guard route.output == .file, data["is_complete"] == .bool(false), let id = data["id"]?.stringValue else {
            return data
        }
        var file = data
        file["upload_parameters"] = ["method": "PUT", "url": .string("\(request.root)/v1/files/\(id)/content")]
        return file
    }

    /// App streams, with the WebSocket where they are read.
    private func withEndpoint(_ data: JSONValue) -> JSONValue {
        if case .array(let streams) = data { return .array(streams.map(withEndpoint)) }
        var stream = data
        stream["endpoint"] = .string("\(state.liveRoot)\(AppNetArea.pnutPrefix)/app")
        return stream
    }

    private static func document(
        _ document: JSONValue,
        _ status: HTTPResponse.Status,
        _ request: AppNetRequest
    ) -> ServerReply {
        let text = request.fields[.pnutPrettyJSON] == nil ? document.text() : document.prettyText
        var reply = ServerReply(status: status, body: Array(text.utf8))
        reply.fields[.contentType] = "application/json"
        return reply
    }

    /// Members of `meta` that pnut has not: slugs and numbers of errors (§6.1), and counts of unread channels.
    private static let dropped: Set = ["error_slug", "error_id", "unread_counts"]

    private static func meta(_ answer: AppNetAnswer, _ failure: AppNetFailure?) -> JSONObject {
        var meta: JSONObject = ["code": .count(answer.status.code)]
        for member in answer.meta where !dropped.contains(member.name) {
            meta[member.name] =
                member.name == "marker" ? PnutObject.marker.translated(member.value) : member.value
        }
        if let seconds = failure?.retryAfter { meta["retry_in"] = .count(seconds) }
        return meta
    }

    /// A new token's answer names its user beside the token (§6.1).
    private static func withUser(_ document: JSONValue) -> JSONValue {
        guard let token = document["token"] else { return document }
        var document = document
        document["token"] = PnutObject.token.translated(token)
        if let user = token["user"] {
            document["user_id"] = user["id"]
            document["username"] = user["username"]
        }
        return document
    }
}

extension HTTPFields {
    /// `reply` with these fields and `others`.
    fileprivate func applied(to reply: ServerReply, _ others: HTTPFields) -> ServerReply {
        var reply = reply
        for field in self { reply.fields[field.name] = field.value }
        for field in others { reply.fields[field.name] = field.value }
        return reply
    }
}

extension HTTPField.Name {
    static let pnutPrettyJSON = Self.known("X-Pretty-Json")
}
