internal import Foundation
package import GRDB
internal import HTTPTypes
package import HeliumServerKit
internal import Synchronization

/// App.net (§1) and pnut.io: from the server's request to the endpoint and back.
package struct AppNetService: ServerProtocol {
    package static let name = "appnet"
    package static var migrator: DatabaseMigrator { AppNetSchema.migrator }

    package let control: AppNetControl
    package let live: LiveServer?
    let state: AppNetState
    private let endpoint: AppNetEndpoint
    private let gate: AppNetLiveGate
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
        gate = AppNetLiveGate(state: state)
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

    package func hasLiveEndpoint(at path: Substring) -> Bool { AppNetLiveGate.Endpoint(path: path) != nil }

    package func admission(of handshake: ServerRequest) async -> LiveAdmission { await gate.admission(of: handshake) }

    package func handles(_ path: Substring) -> Bool { Self.address(of: path) != nil }

    package func reply(to refusal: RequestRefusal, for path: Substring) -> ServerReply {
        let maximum = state.configuration.maxima.uploadBytes
        let area = Self.address(of: path)?.area ?? .api
        let asked = AppNetRequest(method: .get, area: area, dialect: area.dialect)
        switch refusal {
        case .bodyTooLong: return reply(to: asked, Self.isOfFiles(path) ? .fileTooLong(maximum) : .tooLong, of: nil)
        case .noRoom: return reply(to: asked, .noRoom, of: nil)
        }
    }

    package func admission(of head: ServerRequest, limits: ServerLimits) async -> BodyAdmission {
        let unproved = BodyAdmission.read(maximumBytes: limits.bodyBytes, isProved: false)
        // Whatever else is wrong is told when the body has been read, as it ever was.
        guard head.faults.effects.isEmpty else {
            return .read(maximumBytes: bodyBytes(for: head.path, limits), isProved: false)
        }
        guard head.method != .options, let asked = asked(head), !asked.hasMalformedPath else { return unproved }
        do {
            guard try await endpoint.judgedToken(of: asked.dialect.routed(asked)) != nil else {
                // It may stand in the body; then the body is short.
                let overflow = Self.isUpload(head.path) ? reply(to: asked, .noToken, of: nil) : nil
                return .read(maximumBytes: limits.bodyBytes, isProved: false, overflow: overflow)
            }
            return .read(maximumBytes: bodyBytes(for: head.path, limits), isProved: true)
        } catch let failure as AppNetFailure {
            return .refused(reply(to: asked, failure, of: try? await endpoint.authenticated(asked)))
        } catch {
            return unproved
        }
    }

    /// A refusal in the form of the request's dialect.
    private func reply(to request: AppNetRequest, _ failure: AppNetFailure, of token: AppNetToken?) -> ServerReply {
        Self.finished(request.dialect.refusal(failure, to: request, of: token, by: endpoint))
    }

    private func bodyBytes(for path: Substring, _ limits: ServerLimits) -> Int {
        // Room for the other parts and the parts' own heads.
        Self.isUpload(path) ? max(limits.bodyBytes, state.configuration.maxima.uploadBytes + 65_536) : limits.bodyBytes
    }

    private static func isUpload(_ path: Substring) -> Bool {
        let last = path.split(separator: "/").last ?? ""
        return isOfFiles(path) || last == "avatar" || last == "cover"
    }

    private static func isOfFiles(_ path: Substring) -> Bool { path.utf8.firstRange(of: "/files".utf8) != nil }

    package func respond(to request: ServerRequest) async -> ServerReply {
        var reply = await answer(request)
        crossOrigin.apply(to: &reply, of: request, exposing: Self.exposedFields)
        return reply
    }

    private func answer(_ request: ServerRequest) async -> ServerReply {
        if request.method == .options { return Self.finished(Self.preflight) }
        if request.faults.contains(.unauthorizedHTML) { return .unauthorizedPage }
        guard var asked = asked(request) else { return ServerReply(status: .notFound) }
        asked.body = AppNetBody(request.body, type: request.fields[.contentType])
        asked.bytes = request.body
        if asked.hasMalformedPath {
            let failure = AppNetFailure.badRequest("The path has a malformed escape.")
            return reply(to: asked, failure, of: try? await endpoint.authenticated(asked))
        }
        return Self.finished(await asked.dialect.reply(to: asked, by: endpoint))
    }

    /// The request without its body; `nil` for a path of another service.
    private func asked(_ request: ServerRequest) -> AppNetRequest? {
        guard let (area, rest) = Self.address(of: request.path) else { return nil }
        let segments = PercentEncoding.decoded(segments: rest.split(separator: "/"))
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

    /// The area of a path and what is below it; nil for paths of other services. Any base that ends in `/stream/0` will
    /// do (§8 item 1).
    static func address(of path: Substring) -> (area: AppNetArea, rest: Substring)? {
        // By bytes: searching for a text in a text costs more than its length.
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

    /// The fields that scripts of allowed origins may read.
    private static let exposedFields =
        "Connection-Id, X-OAuth-Scopes, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-ADN-Migrations-Enabled"

    /// No behaviour is switched by migrations today (AppNet.md §1.5).
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
