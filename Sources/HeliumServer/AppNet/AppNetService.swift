internal import HTTPTypes

/// App.net over HTTP (§1): from the server's request to the endpoint and back.
struct AppNetService: ProtocolService {
    private let state: AppNetState
    private let endpoint: AppNetEndpoint
    private let crossOrigin: CrossOriginPolicy

    init(state: AppNetState) {
        self.state = state
        crossOrigin = CrossOriginPolicy(origins: state.configuration.allowedOrigins)
        endpoint = AppNetEndpoint(state: state)
    }

    func handles(_ path: Substring) -> Bool { Self.address(of: path) != nil }

    func bodyBytes(for path: Substring, limits: ServerLimits) -> Int {
        let last = path.split(separator: "/").last ?? ""
        let isUpload = Self.isOfFiles(path) || last == "avatar" || last == "cover"
        // Room for the other parts and the parts' own heads.
        return isUpload ? max(limits.bodyBytes, state.configuration.maxima.uploadBytes + 65_536) : limits.bodyBytes
    }

    func bodyTooLong(for path: Substring) -> ServerReply {
        let maximum = state.configuration.maxima.uploadBytes
        let failure = Self.isOfFiles(path) ? AppNetFailure.fileTooLong(maximum) : .tooLong
        if Self.address(of: path)?.area == .pnut {
            return Self.finished(PnutDialect.refusal(failure, to: Self.empty))
        }
        let reply = AppNetReply.refusal(failure, errorID: AppNetState.newErrorID())
        return Self.finished(AppNetEnvelope.reply(reply, to: Self.empty))
    }

    private static func isOfFiles(_ path: Substring) -> Bool { path.contains("/files") }

    func respond(to request: ServerRequest) async -> ServerReply {
        var reply = await answer(request)
        crossOrigin.apply(to: &reply, of: request, exposing: Self.exposedFields)
        return reply
    }

    private func answer(_ request: ServerRequest) async -> ServerReply {
        if request.method == .options { return Self.finished(Self.preflight) }
        if request.faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        guard let (area, rest) = Self.address(of: request.path) else { return ServerReply(status: .notFound) }
        var asked = Self.empty
        asked.method = request.method
        asked.area = area
        asked.parameters = AppNetParameters(query: request.queryText)
        asked.fields = request.fields
        asked.body = AppNetBody(request.body, type: request.fields[.contentType])
        asked.bytes = request.body
        asked.address = request.address
        asked.root = "\(request.scheme)://\(request.host)"
        asked.faults = request.faults
        guard let segments = Self.segments(of: rest) else {
            let failure = AppNetFailure.badRequest("The path has a malformed escape.")
            guard area != .pnut else { return Self.finished(PnutDialect.refusal(failure, to: asked)) }
            return Self.finished(AppNetEnvelope.reply(await endpoint.refusal(failure, to: asked), to: asked))
        }
        asked.segments = segments
        if area == .pnut {
            return Self.finished(await PnutDialect(state: state, endpoint: endpoint).reply(to: asked))
        }
        return Self.finished(AppNetEnvelope.reply(await endpoint.reply(to: asked), to: asked))
    }

    private static let empty = AppNetRequest(
        method: .get,
        area: .api,
        segments: [],
        parameters: AppNetParameters(),
        fields: [:],
        body: .none,
        address: "",
        root: ""
    )

    /// The area of a path and what is below it; nil for paths of other services. Any base that ends in `/stream/0` will
    /// do (§8 item 1).
    static func address(of path: Substring) -> (area: AppNetArea, rest: Substring)? {
        if let range = path.firstRange(of: "/stream/0"), path[range.upperBound...].first ?? "/" == "/" {
            return (.api, path[range.upperBound...])
        }
        for (prefix, area) in [
            ("/oauth", AppNetArea.oauth), (AppNetArea.contentPrefix, .content), (AppNetArea.livePrefix, .live),
            (AppNetArea.pnutPrefix, .pnut),
        ]
        where path.hasPrefix(prefix) && path.dropFirst(prefix.count).first ?? "/" == "/" {
            return (area, path.dropFirst(prefix.count))
        }
        return nil
    }

    /// The decoded segments; nil where an escape is malformed.
    static func segments(of path: Substring) -> [String]? {
        var segments: [String] = []
        for part in path.split(separator: "/") {
            guard let segment = PercentEncoding.decoded(part) else { return nil }
            segments.append(segment)
        }
        return segments
    }

    /// The fields that scripts of allowed origins may read.
    private static let exposedFields =
        "Connection-Id, X-OAuth-Scopes, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-ADN-Migrations-Enabled"

    /// No behaviour is switched by migrations today (AppNet.md §1.5).
    private static func finished(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        reply.fields[.migrations] = ""
        return reply
    }

    private static var preflight: ServerReply {
        var reply = ServerReply(status: .noContent)
        reply.fields[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE, OPTIONS"
        reply.fields[.accessControlAllowHeaders] =
            "Accept, Authorization, Content-Type, X-ADN-Migration-Overrides, X-ADN-Pretty-JSON, X-ADN-Filename"
        reply.fields[.accessControlMaxAge] = "86400"
        return reply
    }
}

extension ServerRequest {
    /// What stands after the `?`, as encoded.
    var queryText: Substring {
        target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    }
}
