import Foundation
import HeliumServer
import HeliumServerTesting
import ServerSupport

@testable import AppNetServer
@testable import HeliumServerKit

/// A client of App.net made of raw HTTP: sends what a test says and nothing else.
struct AppNetVisitor: Sendable {
    let running: RunningServer
    /// Nil sends no token.
    var token: String?
    /// The prefix of a call's path.
    var base = "/stream/0"

    var port: Int { running.ready.http.port ?? 0 }
    var root: String { "http://127.0.0.1:\(port)" }

    /// Sends one request to a whole target, without the base.
    func request(
        _ method: String,
        target: String,
        fields: [(String, String)] = [],
        body: [UInt8]? = nil
    ) async throws -> VisitorAnswer {
        let connection = try RawConnection(port: port)
        let fields = fields + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
        try await connection.send(
            Peer.bytes(method, target, host: "127.0.0.1:\(port)", fields: fields, body: body)
        )
        return VisitorAnswer(raw: try await connection.answer(isHead: method == "HEAD"))
    }

    func get(_ path: String, _ fields: [(String, String)] = []) async throws -> VisitorAnswer {
        try await request("GET", target: "\(base)/\(path)", fields: fields)
    }

    func delete(_ path: String) async throws -> VisitorAnswer {
        try await request("DELETE", target: "\(base)/\(path)")
    }

    /// Sends bytes of a media type.
    func send(
        _ method: String,
        _ path: String,
        _ type: String,
        _ body: [UInt8],
        _ fields: [(String, String)] = []
    ) async throws -> VisitorAnswer {
        try await request(method, target: "\(base)/\(path)", fields: [("Content-Type", type)] + fields, body: body)
    }

    /// Sends JSON.
    func send(_ method: String, _ path: String, json: TestJSON) async throws -> VisitorAnswer {
        try await send(method, path, "application/json", Array(json.text.utf8))
    }

    func post(_ path: String, _ json: TestJSON) async throws -> VisitorAnswer {
        try await send("POST", path, json: json)
    }

    /// Sends the fields of a form to a whole target.
    func form(
        _ target: String,
        _ values: [(String, String)],
        fields: [(String, String)] = []
    ) async throws -> VisitorAnswer {
        let text = values.map { "\($0)=\(PercentEncoding.encodedFormValue($1))" }.joined(separator: "&")
        let type = ("Content-Type", "application/x-www-form-urlencoded")
        return try await request("POST", target: target, fields: [type] + fields, body: Array(text.utf8))
    }

    /// Sends parts of a form with files.
    func multipart(_ method: String, _ path: String, _ parts: [FormPart]) async throws -> VisitorAnswer {
        let boundary = "----visitor"
        var body: [UInt8] = []
        for part in parts { body += Array("--\(boundary)\r\n".utf8) + part.bytes + Array("\r\n".utf8) }
        body += Array("--\(boundary)--\r\n".utf8)
        return try await send(method, path, "multipart/form-data; boundary=\(boundary)", body)
    }

    /// Follows a URL of an answer, which must lead to the server under test.
    func follow(_ url: String?, _ fields: [(String, String)] = []) async throws -> VisitorAnswer {
        guard let url, url.hasPrefix(root) else { throw RawConnection.Failure.malformed(url ?? "no URL") }
        var visitor = self
        visitor.token = nil
        return try await visitor.request("GET", target: String(url.dropFirst(root.count)), fields: fields)
    }
}

/// A part of a multipart body.
struct FormPart: Sendable {
    var name: String
    var fileName: String?
    var type: String?
    var encoding: String?
    var body: [UInt8]

    init(_ name: String, _ text: String, file fileName: String? = nil, type: String? = nil) {
        self.init(name, Array(text.utf8), file: fileName, type: type)
    }

    init(
        _ name: String,
        _ body: [UInt8],
        file fileName: String? = nil,
        type: String? = nil,
        encoding: String? = nil
    ) {
        self.name = name
        self.fileName = fileName
        self.type = type
        self.encoding = encoding
        self.body = body
    }

    var bytes: [UInt8] {
        var head = "Content-Disposition: form-data; name=\"\(name)\""
        if let fileName { head += "; filename=\"\(fileName)\"" }
        if let type { head += "\r\nContent-Type: \(type)" }
        if let encoding { head += "\r\nContent-Transfer-Encoding: \(encoding)" }
        return Array((head + "\r\n\r\n").utf8) + body
    }
}

/// An answer with its envelope read.
struct VisitorAnswer: Sendable {
    let raw: RawAnswer
    let json: TestJSON?

    init(raw: RawAnswer) {
        self.raw = raw
        json = raw.json
    }

    var status: Int { raw.status }
    var text: String { raw.text }
    var location: String? { raw["location"] }
    var meta: TestJSON? { json?["meta"] }
    var message: String? { meta?["error_message"]?.stringValue }
    /// The envelope's `data`, and below it.
    subscript(path: String...) -> TestJSON? {
        path.reduce(json?["data"]) { $0?[$1] }
    }
    /// The `id`s of a list.
    var ids: [String] { json?["data"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [] }
}

/// Runs `body` with a server that has App.net as `change` makes it, and its first two users.
func withVisitors(
    _ change: (inout AppNetServerConfiguration) -> Void = { _ in },
    _ body: (_ alice: AppNetVisitor, _ bob: AppNetVisitor) async throws -> Void
) async throws {
    var configuration = EmbeddedServerConfiguration()
    change(&configuration.appNet)
    try await withEmbeddedServer(configuration) { running in
        let users = running.ready.appNet.users
        guard users.count >= 2 else { throw RawConnection.Failure.malformed("two users are needed") }
        try await body(
            AppNetVisitor(running: running, token: users[0].token),
            AppNetVisitor(running: running, token: users[1].token)
        )
    }
}
