internal import Foundation
package import GRDB
internal import HTTPTypes
internal import HeliumConcurrency
internal import HeliumJSON
package import HeliumServerKit
internal import Synchronization

/// The App.net and pnut.io protocol (Docs/Protocols/AppNet.md §1). Passes the server's requests to the endpoint and
/// returns its responses.
package struct AppNetService: ServerProtocol {
    package static let name = "appnet"
    package static var migrator: DatabaseMigrator { AppNetSchema.migrator }
    package static var storedTables: [StoredTable] { AppNetTables.stored }

    package let control: AppNetControl
    package let live: LiveServer?
    let state: AppNetState
    private let endpoint: AppNetEndpoint
    private let handshakes: AppNetHandshakeHandler
    private let crossOrigin: CrossOriginPolicy

    package init(_ configuration: AppNetServerConfiguration, _ environment: ServerEnvironment) throws {
        let store = try AppNetStore(environment.access, random: environment.random, configuration: configuration)
        let state = AppNetState(configuration: configuration, store: store, environment: environment)
        let live = LiveServer(
            maxima: LiveMaxima(
                connections: LiveLimits.connections,
                unauthenticatedConnections: LiveLimits.unauthenticatedConnections,
                queueBytes: LiveLimits.queueBytes,
                objectBytes: LiveLimits.messageBytes
            ),
            environment: environment
        )
        self.state = state
        self.live = live
        control = AppNetControl(state: state, live: live)
        endpoint = AppNetEndpoint(state: state)
        handshakes = AppNetHandshakeHandler(state: state)
        crossOrigin = CrossOriginPolicy(origins: configuration.allowedOrigins)
    }

    package func start(at address: ServerAddress) -> ReadyInformation.AppNet? {
        state.values.withLock { values in
            values.root = address.root
            values.liveRoot = address.webSocketRoot
        }
        guard let root = URL(string: address.root + "/stream/0"), let oauth = URL(string: address.root + "/oauth"),
            let pnut = URL(string: address.root + "/v1"),
            let userStream = URL(string: address.webSocketRoot + "/stream/user")
        else { return nil }
        return ReadyInformation.AppNet(
            root: root,
            oauth: oauth,
            pnut: pnut,
            userStream: userStream,
            state.store.credentials
        )
    }

    /// Removes the rows of deleted objects.
    package func runInBackground() async { await state.removal.run { await state.removeRows() } }

    package func hasLiveEndpoint(at path: Substring) -> Bool { AppNetHandshakeHandler.Endpoint(path: path) != nil }

    package func admission(of handshake: ServerRequest) async -> LiveAdmission {
        await handshakes.admission(of: handshake)
    }

    package func handles(_ path: Substring) -> Bool { Self.address(of: path) != nil }

    package func reply(to refusal: RequestRefusal, for request: ServerRequest) -> ServerReply {
        let asked =
            self.asked(request) ?? AppNetRequest(method: request.method, area: .api, dialect: AppNetArea.api.dialect)
        switch refusal {
        case .bodyTooLong:
            // Other bodies have another limit than files, also those of the same route.
            let isFile = takesUpload(asked) && endpoint.route(of: asked)?.bodyLimit == .file
            let failure = isFile ? .fileTooLong(state.configuration.maxima.uploadBytes) : AppNetFailure.tooLong
            return reply(to: asked, failure, of: nil)
        case .noRoom: return reply(to: asked, .noRoom, of: nil)
        }
    }

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        let unproved = BodyAdmission.read(maximumBytes: limits.bodyBytes, isProved: false)
        // With faults, all other checks are made after the body was read.
        guard head.faults.effects.isEmpty else {
            return .read(
                maximumBytes: asked(head).map { bodyBytes(of: $0, limits) } ?? limits.bodyBytes,
                isProved: false
            )
        }
        guard head.method != .options, let asked = asked(head), !asked.hasMalformedPath else { return unproved }
        do {
            guard try await endpoint.judgedToken(of: asked.dialect.routed(asked)) != nil else {
                // The body may contain the token. Such a body is short.
                let isUpload = endpoint.route(of: asked).map { $0.bodyLimit != .document } ?? false
                let overflow = isUpload ? reply(to: asked, .noToken, of: nil) : nil
                return .read(maximumBytes: limits.bodyBytes, isProved: false, overflow: overflow)
            }
            return .read(maximumBytes: bodyBytes(of: asked, limits), isProved: true)
        } catch let failure as AppNetFailure {
            return .refused(reply(to: asked, failure, of: try? await endpoint.authenticated(asked)))
        } catch {
            return unproved
        }
    }

    /// Returns a failure in the format of the request's dialect.
    private func reply(to request: AppNetRequest, _ failure: AppNetFailure, of token: AppNetToken?) -> ServerReply {
        Self.finished(request.dialect.refusal(failure, to: request, of: token, by: endpoint))
    }

    /// Returns the maximum size of a body, which is a property of the route.
    private func bodyBytes(of asked: AppNetRequest, _ limits: ServerLimits) -> Int {
        guard takesUpload(asked) else { return limits.bodyBytes }
        // Allows for the other parts of the form and the headers of the parts.
        return max(limits.bodyBytes, min(state.configuration.maxima.uploadBytes, 1 << 62) + 65_536)
    }

    /// Returns whether the body of a request may contain a file or a picture, by its route and its type.
    private func takesUpload(_ asked: AppNetRequest) -> Bool {
        guard let route = endpoint.route(of: asked), route.bodyLimit != .document else { return false }
        return route.takesBytes || AppNetBody.isMultipart(asked.fields[.contentType])
    }

    package func respond(to request: ServerRequest) async -> ServerReply {
        var reply = await answer(request)
        crossOrigin.apply(to: &reply, of: request, exposing: Self.exposedFields)
        return reply
    }

    private func answer(_ request: ServerRequest) async -> ServerReply {
        if request.method == .options { return Self.finished(Self.preflight) }
        if request.faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        guard var asked = asked(request) else { return ServerReply(status: .notFound) }
        let type = request.fields[.contentType]
        // The content of a file is not parsed, whatever its type, and contains no token.
        let isContent = !AppNetBody.isMultipart(type) && endpoint.route(of: asked)?.takesBytes ?? false
        asked.body = isContent ? .bytes(request.body, type: type ?? "") : AppNetBody(request.body, type: type)
        asked.bytes = request.body
        if asked.hasMalformedPath {
            let failure = AppNetFailure.badRequest("The path has a malformed escape.")
            return reply(to: asked, failure, of: try? await endpoint.authenticated(asked))
        }
        return Self.finished(await asked.dialect.reply(to: asked, by: endpoint))
    }

    /// Returns the request without its body; `nil` if the path belongs to another service.
    private func asked(_ request: ServerRequest) -> AppNetRequest? {
        guard let (area, rest) = Self.address(of: request.path) else { return nil }
        let segments = PercentEncoding.decoded(segments: rest.split(atByte: "/"))
        return AppNetRequest(
            method: request.method,
            area: area,
            segments: segments ?? [],
            hasMalformedPath: segments == nil,
            parameters: FormFields(query: request.queryText),
            fields: request.fields,
            dialect: area.dialect,
            address: request.address,
            root: "\(request.scheme)://\(request.host)",
            faults: request.faults
        )
    }

    /// Returns the area of a path and the rest of the path; `nil` for paths of other services. Any base path that ends
    /// in `/stream/0` is accepted (Docs/Protocols/AppNet.md §8).
    static func address(of path: Substring) -> (area: AppNetArea, rest: Substring)? {
        // Searches the bytes, because searching for a string in a string takes more than linear time.
        if let range = path.utf8.firstRange(of: "/stream/0".utf8), path[range.upperBound...].first ?? "/" == "/" {
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

    /// The header fields that scripts of allowed origins may read.
    private static let exposedFields =
        "Connection-Id, X-OAuth-Scopes, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-ADN-Migrations-Enabled"

    /// Adds the migrations field. No migration is supported today, so it is empty (Docs/Protocols/AppNet.md §1.5).
    private static func finished(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        reply.fields[.migrations] = ""
        return reply
    }

    private static let preflight = ServerReply.preflight(
        methods: "GET, POST, PUT, PATCH, DELETE, OPTIONS",
        headers: "Accept, Authorization, Content-Type, X-ADN-Migration-Overrides, X-ADN-Pretty-JSON, X-ADN-Filename"
    )
}
