import Foundation
import GRDB
import ServerSupport
import Testing

@testable import HeliumServer

@Suite("Secrets in responses of a server", .timeLimit(.minutes(5)))
struct ResponseSecretTests {
    /// A body with a secret in each place that has one.
    private static let bodies: [(type: String, text: String)] = {
        let secret = SecretCalls.unknown
        let members =
            #""password":"\#(secret)","token":"\#(secret)","access_token":"\#(secret)","secret":"\#(secret)","key":{"api_key":"\#(secret)"},"api_key":"\#(secret)""#
        return [
            ("application/json", "{\(members)}"), ("application/json", #"{"text":7,"password":"\#(secret)"#),
            ("application/json", "[{\(members)}]"),
            (
                "application/x-www-form-urlencoded",
                "client_secret=\(secret)&password=\(secret)&code=\(secret)&username=alice&access_token=\(secret)"
            ),
            ("application/xml", "<eeml><environment><key>\(secret)</key></environment>"),
            ("text/csv", "\(secret),\(secret)\n\(secret)"),
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n"
            ),
        ]
    }()

    private static let query = ["access_token", "key", "client_secret", "password", "code", "signature"]
        .map { "\($0)=\(SecretCalls.unknown)" }.joined(separator: "&")

    /// The fields of a client without valid credentials, and of clients with valid ones.
    private static let credentials: [(name: String, fields: [(name: String, value: String)], query: String)] = {
        let secret = SecretCalls.unknown
        let unknown = [
            ("Authorization", "Bearer \(secret)"), ("X-ApiKey", secret), ("key", secret),
            ("Cookie", "session=\(secret)"),
            ("X-PachubeApiKey", secret), ("Referer", "http://h/?key=\(secret)"),
        ]
        let known = [
            ("Authorization", "Bearer \(PlantedServer.userToken)"), ("X-ApiKey", PlantedServer.masterKey),
            ("key", PlantedServer.staticKey),
        ]
        let app = [("Authorization", "Bearer \(PlantedServer.appToken)")]
        return [("unknown", unknown, "?\(query)"), ("known", known, ""), ("app", app, "")]
    }()

    /// The calls whose successful responses have secrets on purpose, with the reason. An error response has none.
    private static let purposes: [String: String] = {
        let file = "the owner of a file gets its token"
        let poll = "the owner of a poll gets the token with which others see it"
        return [
            "GET /v2/keys": "a master key lists the keys of its account",
            "GET /v2/users":
                "the administrator's key lists the accounts with their master keys, of which it can make more",
            "GET /v2/users/helium": "a master key reads its account, to which it belongs",
            "GET /stream/0/files/1": file, "PUT /stream/0/files/1": file, "PATCH /stream/0/files/1": file,
            "GET /stream/0/users/me/files": file, "GET /v1/files/1": file, "PATCH /v1/files/1": file,
            "GET /v1/users/me/files": file, "GET /v1/polls/1": poll, "GET /v1/polls/search": poll,
            "GET /v1/users/me/polls": poll, "GET /v1/users/me/polls/responses": poll,
            "PUT /v1/polls/1/response/1": poll,
        ]
    }()

    /// The requests that make what has a secret: a token, a key, a trigger, a file and a poll.
    private static let preparation: [(path: String, type: String, body: String)] = [
        (
            "/oauth/access_token", "application/x-www-form-urlencoded",
            "grant_type=password&client_id=helium&password_grant_secret=\(PlantedServer.grantSecret)"
                + "&username=alice&password=\(PlantedServer.password)"
        ),
        ("/v2/keys", "application/json", #"{"key":{"label":"a","permissions":[{"access_methods":["get"]}]}}"#),
        ("/v2/feeds", "application/json", #"{"title":"f","datastreams":[{"id":"a","current_value":"1"}]}"#),
        (
            "/v2/triggers", "application/json",
            #"{"environment_id":1,"stream_id":"a","url":"http://example.com/","trigger_type":"change"}"#
        ),
        ("/stream/0/files", "application/json", #"{"type":"com.example.a","kind":"other","name":"n"}"#),
        (
            "/v1/polls", "application/json",
            #"{"type":"com.example.poll","prompt":"q","duration":60,"options":[{"text":"a"},{"text":"b"}]}"#
        ),
    ]

    /// An answer to a call of the tables.
    private struct Answer {
        let call: String
        let client: String
        let status: Int
        let text: String

        /// The secrets of the server and of the client in the answer.
        func secrets(_ secrets: Set<String>) -> [String] {
            (secrets + [SecretCalls.unknown]).filter { text.localizedCaseInsensitiveContains($0) }
        }

        var name: String { "\(status) \(call) by \(client)" }
    }

    /// Sends all calls of the tables, with each kind of credentials.
    private func answers(_ planted: PlantedServer, _ bodies: [(type: String, text: String)]) async throws -> [Answer] {
        let list = try await planted.answer(SecretRequest(method: "GET", target: "/demo-auth/v1/services"))
        let services = TestJSON.parse(list.text.components(separatedBy: "\n\n").last ?? "")
        // Tokens and accounts are deleted last.
        let calls = SecretCalls.all(services)
        let sorted = calls.filter { $0.method != "DELETE" } + calls.filter { $0.method == "DELETE" }
        var answers: [Answer] = []
        for (method, path) in sorted {
            for (name, fields, query) in Self.credentials {
                for body in ["GET", "DELETE"].contains(method) ? [nil] : bodies.map(Optional.some) {
                    let type = body.map { [("Content-Type", $0.type)] } ?? []
                    let request = SecretRequest(
                        method: method,
                        target: path + query,
                        fields: fields + type,
                        body: body?.text
                    )
                    let (status, text) = try await planted.answer(request)
                    let call = "\(method) \(path.replacing(SecretCalls.unknown, with: "SECRET"))"
                    answers.append(
                        Answer(call: call, client: "\(name) \(body?.type ?? "")", status: status, text: text)
                    )
                }
            }
        }
        return answers
    }

    @Test("no response has a secret, unless that is its purpose, and neither do the log and the list of requests")
    func responses() async throws {
        try await PlantedServer.run { planted in
            for (path, type, body) in Self.preparation {
                let fields = Self.credentials[1].fields + [("Content-Type", type)]
                let request = SecretRequest(method: "POST", target: path, fields: fields, body: body)
                #expect(try await 200...201 ~= planted.answer(request).status, "\(path)")
            }
            // Deleting them does not make them known.
            let made = try await planted.secrets()
            let answers = try await answers(planted, Self.bodies)
            #expect(answers.count { $0.status < 400 } > 100 && answers.count { $0.status >= 400 } > 500)
            let secrets = try await planted.secrets().union(made)
            #expect(made.count > PlantedServer.configured.count + 5)
            var used: Set<String> = []
            for answer in answers {
                let found = answer.secrets(secrets)
                if found.isEmpty { continue }
                used.insert(answer.call)
                #expect(
                    answer.status < 400 && Self.purposes[answer.call] != nil,
                    "\(answer.name): \(found) in \(answer.text)"
                )
            }
            #expect(used == Set(Self.purposes.keys))
            let shown = planted.lines.all.joined(separator: "\n") + planted.server.requests.description
            for secret in secrets.union([SecretCalls.unknown]) { #expect(!shown.contains(secret)) }
        }
    }

    @Test("every column of a store whose name suggests a secret is classified")
    func columns() async throws {
        try await PlantedServer.run { planted in
            let found = try await planted.store.read { try SecretColumns.found(in: $0) }
            #expect(found == SecretColumns.secret.union(SecretColumns.harmless.keys))
        }
    }

    @Test("no response and no log line of a failure of the store has a secret")
    func failures() async throws {
        try await PlantedServer.run { planted in
            let secrets = try await planted.secrets()
            try await planted.store.writeWithoutTransaction { database in
                let sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
                // Clients are still authenticated.
                let kept = ["appnet_token", "appnet_app", "cosm_key"]
                for name in try String.fetchAll(database, sql: sql)
                where !kept.contains(name) && !name.hasPrefix("sqlite_") && !name.contains("_search") {
                    try database.execute(sql: "ALTER TABLE \(name) RENAME TO missing_\(name)")
                }
            }
            let answers = try await answers(planted, Array(Self.bodies.prefix(1)))
            #expect(answers.count { $0.status == 500 } > 50)
            for answer in answers {
                let found = answer.secrets(secrets)
                #expect(found.isEmpty || answer.status < 400, "\(answer.name): \(found) in \(answer.text)")
            }
            let lines = planted.lines.all
            #expect(lines.contains { $0.contains("error=") })
            for secret in secrets.union([SecretCalls.unknown]) { #expect(!lines.joined().contains(secret)) }
        }
    }
}
