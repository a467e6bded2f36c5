internal import GRDB
internal import HTTPTypes
internal import HeliumJSON
internal import HeliumServerKit
internal import Logging

/// Translates pnut.io's requests to App.net's format, and responses to pnut.io's format (Docs/Protocols/AppNet.md §6).
struct PnutTranslation: Hashable, Sendable {
    /// Returns the response of `endpoint` to a request of pnut's API.
    func reply(to request: AppNetRequest, by endpoint: AppNetEndpoint) async -> ServerReply {
        do {
            let (route, values) = try PnutRoutes.match(request.segments, request.method)
            var asked = routed(request, to: route, values)
            asked.body = try await body(of: request, for: route, endpoint.state)
            if route.pattern.description == "channels", request.method == .get, asked.parameters["ids"] == nil {
                throw AppNetFailure.badRequest("You must supply ids.")
            }
            var reply = await endpoint.reply(to: asked)
            if case .data(let data) = reply.answer.content {
                let data = route.output.translated(data)
                reply.answer.content = .data(completed(data, of: route, request, endpoint.state))
            }
            return written(reply, route, request)
        } catch let failure as AppNetFailure {
            return refusal(failure, to: request)
        } catch {
            endpoint.state.logger.error("A pnut request failed", metadata: ["error": "\(StoreFault.text(of: error))"])
            return refusal(.unexpected(error), to: request)
        }
    }

    /// Returns App.net's form of a request's head.
    ///
    /// - Throws: ``AppNetFailure`` with 404 or 405 if the call does not exist.
    func routed(_ request: AppNetRequest) throws(AppNetFailure) -> AppNetRequest {
        let (route, values) = try PnutRoutes.match(request.segments, request.method)
        return routed(request, to: route, values)
    }

    private func routed(_ request: AppNetRequest, to route: PnutRoute, _ values: [String: String]) -> AppNetRequest {
        var asked = request
        asked.area = route.area
        asked.segments = route.segments(values)
        asked.parameters = PnutParameters.translated(request.parameters, for: route)
        if let method = route.method { asked.method = method }
        return asked
    }

    // MARK: Bodies

    private func body(
        of request: AppNetRequest,
        for route: PnutRoute,
        _ state: AppNetState
    ) async throws -> AppNetBody {
        // The document of a form does not contain invalid texts. The endpoint rejects the form itself.
        guard route.input != .plain, request.body.textFault == nil else { return request.body }
        switch request.body {
        case .json, .form:
            let document = try request.body.document()
            guard route.input == .markers else { return .json(route.input.translated(document, user: nil)) }
            guard case .array(let markers) = document, markers.count <= 10 else {
                throw AppNetFailure.badRequest("The body must be a list of at most 10 markers.")
            }
            return .json(route.input.translated(document, user: try await user(of: request, state)))
        case .multipart(let form) where route.input == .file: return .multipart(translated(form))
        default: return request.body
        }
    }

    /// Returns a form whose part `metadata` has App.net's members. A part that is not JSON is not changed, and is
    /// rejected later.
    private func translated(_ form: MultipartBody) -> MultipartBody {
        var form = form
        if let index = form.parts.firstIndex(where: \.isMetadata),
            let document = JSONValue.parse(form.parts[index].text)
        {
            form.parts[index].body = Array(PnutInput.file.translated(document, user: nil).text().utf8)
        }
        return form
    }

    /// Returns the caller's id, which is part of the names of some of App.net's markers.
    private func user(of request: AppNetRequest, _ state: AppNetState) async throws -> String? {
        guard let secret = request.token else { return nil }
        let token = try await state.store.read { try AppNetTokenTable(database: $0).token(secret) }
        return token?.user.map { String($0) }
    }

    // MARK: Responses

    /// Returns an error response in pnut's format.
    func refusal(_ failure: AppNetFailure, to request: AppNetRequest) -> ServerReply {
        written(.refusal(failure, errorID: ""), nil, request)
    }

    private func written(_ reply: AppNetReply, _ route: PnutRoute?, _ request: AppNetRequest) -> ServerReply {
        var answer = reply.answer
        func complete(_ written: ServerReply) -> ServerReply {
            var written = written
            written.set(reply.fields)
            written.set(answer.fields)
            return written
        }
        let data: JSONValue?
        switch answer.content {
        case .reply(let whole): return whole
        case .bare(let value): return complete(document(withUser(value), answer.status, request))
        case .none: data = nil
        case .data(let value): data = value
        }
        if reply.failure == nil, let route, answer.status == .ok { answer.status = route.status }
        guard data != nil || reply.failure != nil || !answer.meta.isEmpty else {
            return complete(ServerReply(status: answer.status))
        }
        var members: JSONObject = ["meta": .object(meta(answer, reply.failure))]
        if let data { members["data"] = data }
        return complete(document(.object(members), answer.status, request))
    }

    /// Returns data with the members of an object that pnut.io has and App.net does not have.
    private func completed(
        _ data: JSONValue,
        of route: PnutRoute,
        _ request: AppNetRequest,
        _ state: AppNetState
    ) -> JSONValue {
        if route.output == .stream, case .array(let streams) = data {
            return .array(streams.map { completed($0, of: route, request, state) })
        }
        var data = data
        switch route.output {
        case .stream:
            if request.method == .delete { data["is_deleted"] = .bool(true) }
            // The URL of the WebSocket from which the stream is read.
            data["endpoint"] = .string("\(state.liveRoot)\(AppNetArea.pnutPrefix)/app")
        case .configuration:
            data["file"] = ["max_size_bytes": .count(state.configuration.maxima.uploadBytes)]
        case .file:
            guard data["is_complete"] == .bool(false), let id = data["id"]?.stringValue else { break }
            data["upload_parameters"] = ["method": "PUT", "url": .string("\(request.root)/v1/files/\(id)/content")]
        default: break
        }
        return data
    }

    private func document(
        _ document: JSONValue,
        _ status: HTTPResponse.Status,
        _ request: AppNetRequest
    ) -> ServerReply {
        let text = request.fields[.pnutPrettyJSON] == nil ? document.text() : document.prettyText
        return .text(status, text, type: "application/json")
    }

    /// The members of `meta` that pnut does not have: slugs and ids of errors (Docs/Protocols/AppNet.md §6.1), and
    /// counts of unread channels.
    private static let dropped: Set = ["error_slug", "error_id", "unread_counts"]

    private func meta(_ answer: AppNetResponse, _ failure: AppNetFailure?) -> JSONObject {
        var meta: JSONObject = ["code": .count(answer.status.code)]
        for member in answer.meta where !Self.dropped.contains(member.name) {
            meta[member.name] =
                member.name == "marker" ? PnutObject.marker.translated(member.value) : member.value
        }
        if let seconds = failure?.retryAfter { meta["retry_in"] = .count(seconds) }
        return meta
    }

    /// Returns the response for a new token, with the user next to the token (Docs/Protocols/AppNet.md §6.1).
    private func withUser(_ document: JSONValue) -> JSONValue {
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

extension HTTPField.Name {
    static let pnutPrettyJSON = Self.known("X-Pretty-Json")
}
