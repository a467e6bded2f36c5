import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport

@testable import AppNetServer
@testable import HeliumServerKit

/// An ``AppNetVisitor`` with the short forms of the tests of users, channels and messages.
struct AppNetPeer: Sendable {
    let running: RunningServer
    /// Nil: requests have no token.
    var token: String?

    init(_ running: RunningServer, token: String? = nil) {
        self.running = running
        self.token = token ?? running.ready.appNet.users.first?.token
    }

    /// The same client with another user's token.
    func user(_ index: Int) -> Self { with(running.ready.appNet.users[index].token) }

    /// The same client with the app token.
    var app: Self { with(running.ready.appNet.appToken) }

    var anonymous: Self { with(nil) }

    func with(_ token: String?) -> Self {
        var peer = self
        peer.token = token
        return peer
    }

    /// Sends one request; a text body is JSON.
    func send(
        _ method: String,
        _ path: String,
        _ body: String? = nil,
        type: String = "application/json",
        fields: [(String, String)] = []
    ) async throws -> RawAnswer {
        var fields = fields
        if body != nil { fields.append(("Content-Type", type)) }
        let target = path.hasPrefix("/") ? path : "/stream/0/\(path)"
        return try await AppNetVisitor(running: running, token: token)
            .request(method, target: target, fields: fields, body: body.map { Array($0.utf8) }).raw
    }

    /// The `data` of an answer that must be a success.
    @discardableResult
    func data(_ method: String, _ path: String, _ body: String? = nil) async throws -> TestJSON {
        let answer = try await send(method, path, body)
        guard answer.status == 200, let data = answer.tree["data"] else {
            throw RawConnection.Failure.malformed("\(method) \(path): \(answer.status) \(answer.text)")
        }
        return data
    }

    func get(_ path: String) async throws -> TestJSON { try await data("GET", path) }
    @discardableResult
    func post(_ path: String, _ body: String? = nil) async throws -> TestJSON { try await data("POST", path, body) }

    /// Creates a channel and gives its id.
    func createChannel(_ json: String = #"{"type":"com.example.notes"}"#) async throws -> String {
        try await post("channels", json)["id"]?.stringValue ?? ""
    }

    /// Creates a message and gives its id.
    @discardableResult
    func createMessage(_ text: String, in channel: String) async throws -> String {
        let body = TestJSON.object(["text": .string(text)]).text
        return try await post("channels/\(channel)/messages", body)["id"]?.stringValue ?? ""
    }
}

extension RawAnswer {
    var tree: TestJSON { TestJSON.parse(text) ?? .null }
    var meta: TestJSON { tree["meta"] ?? .null }
    var slug: String? { meta["error_slug"]?.stringValue }
    var message: String { meta["error_message"]?.stringValue ?? "" }

    /// The ids of a list.
    var ids: [String] { tree["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [] }
}

/// Three users and the standard app. The third user exists only in tests of three.
let threeUsers = AppNetAccounts(
    users: ["alice", "bob", "carol"].map { AppNetAccounts.User(name: $0) },
    apps: AppNetAccounts.standard.apps
)

/// Runs `body` with a server that has App.net as `change` makes it; the client is the first user's.
func withAppNet(
    _ change: (inout AppNetServerConfiguration) -> Void = { _ in },
    _ body: (AppNetPeer) async throws -> Void
) async throws {
    var configuration = EmbeddedServerConfiguration()
    configuration.appNet.accounts = threeUsers
    change(&configuration.appNet)
    try await withEmbeddedServer(configuration) { running in
        try await body(AppNetPeer(running))
    }
}
