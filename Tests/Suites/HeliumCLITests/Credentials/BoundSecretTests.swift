import Foundation
import HeliumKit
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("Secrets and their origins", .timeLimit(.minutes(5)))
struct BoundSecretTests {
    /// An address of a command: the text, and whether an option names it.
    private typealias Used = (text: String, isOption: Bool)

    private func addresses(_ used: [Used], base: String?, others: [String]) throws -> ServiceAddresses {
        ServiceAddresses(
            used: try used.enumerated().map { index, address in
                ServiceAddresses.Address(
                    url: try #require(URL(string: address.text)),
                    source: "address \(index)",
                    isOption: address.isOption
                )
            },
            environmentBase: base.flatMap(URL.init(string:)),
            environmentOthers: others.compactMap(URL.init(string:))
        )
    }

    /// Whether a secret is released to all addresses.
    private func isReleased(_ source: BoundSecret.Source, _ addresses: ServiceAddresses) throws -> Bool {
        let secret = try BoundSecret(Secret("s3cret-value"), from: source, for: addresses)
        do {
            return try secret.releasedToAll().value == "s3cret-value"
        } catch {
            #expect(!"\(error)".contains("s3cret") && "\(error)".contains("is not sent to address"))
            return false
        }
    }

    @Test("the secret of a variable goes to the origins of the environment only")
    func variables() throws {
        let base = "https://api.example.com/v2"
        let socket = "wss://live.example.com/"
        let rows: [(used: [Used], base: String?, isReleased: Bool)] = [
            ([(base, false)], base, true), ([(base, false), (socket, false)], base, true),
            ([("https://API.example.com:443/other", true)], base, true),
            ([("https://other.example.com/v2", true)], base, false),
            ([("http://api.example.com/v2", true)], base, false),
            ([("https://api.example.com:8443/v2", true)], base, false),
            ([("https://api.example.com.evil.example/v2", true)], base, false),
            // The live socket gets the secret too.
            ([(base, false), ("wss://other.example.com/", true)], base, false),
            ([(base, false), ("wss://api.example.com/", true)], base, true),
            ([(base, false), ("tcp://api.example.com:443", true)], base, false),
            // Without a base URL in the environment, the secret belongs to the address that the user names.
            ([("https://other.example.com/v2", true)], nil, true),
        ]
        for row in rows {
            let addresses = try addresses(row.used, base: row.base, others: [socket])
            #expect(try isReleased(.variable("TOKEN"), addresses) == row.isReleased, "\(row)")
        }
    }

    @Test("the secret of an option goes to the addresses of the command, and not to those of another service")
    func options() throws {
        let (home, other) = ("https://api.example.com/v2", "https://other.example.com/v2")
        let socket = "wss://live.example.com/"
        let rows: [(used: [Used], base: String?, isReleased: Bool)] = [
            ([(other, true)], home, true), ([(other, true), ("wss://any.example.com/", true)], home, true),
            ([(home, false), (socket, false)], home, true), ([(home, true), (socket, false)], home, true),
            // The socket of the environment belongs to the server of the environment.
            ([(other, true), (socket, false)], home, false), ([(other, true), (socket, false)], nil, true),
        ]
        for row in rows {
            let addresses = try addresses(row.used, base: row.base, others: [socket])
            #expect(try isReleased(.command("--token"), addresses) == row.isReleased, "\(row)")
        }
    }

    @Test("no command sends the secret of a variable to an origin that an option names")
    func commands() async throws {
        try await FaultServer.run({ _ in [.answer(body: "{}")] }) { server in
            let (home, other) = ("http://127.0.0.1:1", server.url)
            let cosm = ["COSM_BASE_URL": home + "/v2", "COSM_API_KEY": "s3cret-key"]
            let appNet = [
                "APPNET_BASE_URL": home + "/stream/0", "APPNET_TOKEN": "s3cret-token", "APPNET_CLIENT_ID": "id",
                "APPNET_CLIENT_SECRET": "s3cret-client", "XDG_CONFIG_HOME": "/nonexistent",
            ]
            let socket = "ws://127.0.0.1:\(server.port)/"
            let rows: [([String], [String: String])] = [
                (["cosm", "feeds", "--base-url", other + "/v2"], cosm),
                (["cosm", "push", "1", "t", "--base-url", other + "/v2"], cosm),
                (["cosm", "watch", "1", "--socket-url", socket], cosm),
                (["conair", "fetch", "--source", "cosm:1/t"], cosm.merging(["COSM_BASE_URL": other]) { $1 }),
                (["appnet", "user", "me", "--base-url", other + "/stream/0"], appNet),
                (["appnet", "stream", "1", "--stream-url", socket], appNet),
                (["appnet", "login", "--password", "--username", "a", "--base-url", other + "/stream/0"], appNet),
                (["appnet", "login", "--password", "--username", "a", "--oauth-url", other + "/oauth/"], appNet),
                (["beast", "init", "--db", "/nonexistent/db", "--base-url", other + "/stream/0"], appNet),
                (["beast", "sync", "--db", "/nonexistent/db", "--base-url", other + "/stream/0"], appNet),
            ]
            for (arguments, environment) in rows where arguments[0] != "conair" {
                let outcome = try await Tool.run(arguments, environment: environment, input: "pass\n")
                #expect(
                    outcome.status == 64 && outcome.stderr.contains("is not sent to --"),
                    "\(arguments): \(outcome)"
                )
                #expect(!outcome.stderr.contains("s3cret") && server.requestCount == 0, "\(arguments)")
            }
            // Both are from the environment.
            let (arguments, environment) = rows[3]
            _ = try await Tool.run(arguments, environment: environment)
            #expect(server.requestCount > 0)
        }
    }

    @Test("a secret does not go to the public service of pnut and to another address of the environment")
    func publicService() throws {
        let pnut = ["https://api.pnut.io/v1/", "wss://stream.pnut.io/v1/user"].compactMap(URL.init(string:))
        let base: Used = (pnut[0].absoluteString, false)
        let (own, other) = (pnut[1].absoluteString, "wss://app-net.example.com/stream/user")
        let rows: [(source: BoundSecret.Source, used: [Used], others: [String], isReleased: Bool)] = [
            // The variables name no other service.
            (.variable("TOKEN"), [base], [], true), (.variable("TOKEN"), [base, (own, false)], [own], true),
            // The token is that of the server with the other address.
            (.variable("TOKEN"), [base], [other], false), (.variable("TOKEN"), [base, (other, false)], [other], false),
            // The token of a login at the public service, or of the command.
            (.command("--token"), [base], [other], true),
            (.command("--token"), [base, (other, false)], [other], false),
            (.command("--token"), [base, (own, false)], [own], true),
            (.command("--token"), [base, (other, true)], [], true),
        ]
        for row in rows {
            var addresses = try addresses(row.used, base: nil, others: row.others)
            addresses.publicService = pnut
            #expect(try isReleased(row.source, addresses) == row.isReleased, "\(row)")
        }
    }

    @Test(
        "a token is not sent to the public service of --dialect pnut if the variable of another address is invalid",
        arguments: ["APPNET_STREAM_URL", "APPNET_OAUTH_URL"]
    )
    func invalidAddresses(variable: String) async throws {
        let outcome = try await Tool.run(
            ["appnet", "user", "me", "--dialect", "pnut", "--timeout", "1s"],
            environment: ["APPNET_TOKEN": "s3cret-token", variable: "stream.example/user"]
        )
        #expect(outcome.status == 64 && outcome.stderr.contains("invalid \(variable)"), "\(outcome)")
        #expect(!outcome.stderr.contains("s3cret"))
    }

    @Test(
        "no command sends the token of a server to the public service of --dialect pnut, or that of a login there to a server"
    )
    func dialects() async throws {
        try await FaultServer.run({ _ in [.answer(body: "{}")] }) { server in
            try await withTemporaryFolder { folder in
                let login = ["XDG_CONFIG_HOME": folder.path]
                let token = ["APPNET_TOKEN": "s3cret-token"].merging(login) { $1 }
                let pnut = ["--dialect", "pnut"]
                let socket = "ws://127.0.0.1:\(server.port)/stream/user"
                let database = ["--db", folder.appendingPathComponent("db").path]
                let commands = [
                    ["appnet", "user", "me"], ["appnet", "stream", "1"], ["beast", "init"] + database,
                    ["beast", "sync"] + database,
                ]
                let secret = ["APPNET_CLIENT_ID": "id", "APPNET_CLIENT_SECRET": "s3cret-client"]
                let signIn = ["appnet", "login", "--password", "--username", "a"]
                // Nothing of this reaches a public service: the command ends before it sends a request.
                var rows = commands.flatMap { command in
                    [
                        (command + pnut, token.merging(["APPNET_STREAM_URL": socket]) { $1 }),
                        (command + pnut, token.merging(["APPNET_OAUTH_URL": server.url]) { $1 }),
                        (
                            command + pnut + ["--base-url", "https://api.pnut.io/v1/"],
                            token.merging(["APPNET_BASE_URL": server.url, "APPNET_STREAM_URL": socket]) { $1 }
                        ),
                    ]
                }
                rows.append(
                    (signIn + pnut, login.merging(secret) { $1 }.merging(["APPNET_OAUTH_URL": server.url]) { $1 })
                )
                rows.append(
                    (
                        ["appnet", "stream", "1", "--token", "s3cret-token"] + pnut,
                        login.merging(["APPNET_STREAM_URL": socket]) { $1 }
                    )
                )
                for (arguments, environment) in rows {
                    let outcome = try await Tool.run(arguments, environment: environment, input: "pass\n")
                    #expect(
                        outcome.status == 64 && outcome.stderr.contains("is not sent to"),
                        "\(arguments): \(outcome)"
                    )
                    #expect(!outcome.stderr.contains("s3cret"), "\(arguments)")
                }
                // A login belongs to the base URL that it was made with.
                let service = try #require(URL(string: server.url + "/stream/0"))
                let store = try CommandContext.$current.withValue(CommandContext(environment: login)) {
                    try LoginStore(creatingFor: service)
                }
                try await store.save(Secret("s3cret-login"))
                for command in commands {
                    let outcome = try await Tool.run(command + pnut, environment: login)
                    #expect(outcome.status == 64 && outcome.stderr.contains("no token"), "\(command): \(outcome)")
                }
                #expect(server.requestCount == 0)
                // With the variables of a server, the dialect does not change the address.
                let home = ["APPNET_BASE_URL": server.url + "/v1"].merging(token) { $1 }
                _ = try await Tool.run(["appnet", "user", "me"] + pnut, environment: home)
                #expect(server.requests.first?.target.hasPrefix("/v1/users/me") == true)
                #expect(server.requests.first?.values(of: "Authorization") == ["Bearer s3cret-token"])
            }
        }
    }

    @Test("the key of an option goes to the server of an option")
    func ownKey() async throws {
        let script: FaultServer.Script = { _ in
            [.answer(fields: ["Content-Type: application/json"], body: #"{"totalResults":0,"results":[]}"#)]
        }
        try await FaultServer.run(script) { server in
            let outcome = try await Tool.run(
                ["cosm", "feeds", "--base-url", server.url + "/v2", "--key", "s3cret-own"],
                environment: ["COSM_BASE_URL": "http://127.0.0.1:1/v2", "COSM_API_KEY": "s3cret-key"]
            )
            #expect(outcome.status == 0, "\(outcome)")
            #expect(server.requests.last?.values(of: "X-ApiKey") == ["s3cret-own"])
        }
    }

    @Test("helium appnet login uses the address of a sign-in in the environment")
    func oauthVariable() async throws {
        try await FaultServer.run({ _ in [.answer(400, body: "{}")] }) { server in
            try await withTemporaryFolder { folder in
                let outcome = try await Tool.run(
                    ["appnet", "login", "--password", "--username", "a"],
                    environment: [
                        "APPNET_BASE_URL": "http://127.0.0.1:1/stream/0", "APPNET_OAUTH_URL": server.url + "/sign-in/",
                        "APPNET_CLIENT_ID": "id", "APPNET_CLIENT_SECRET": "s3cret-client",
                        "XDG_CONFIG_HOME": folder.path,
                    ],
                    input: "s3cret-password\n"
                )
                #expect(outcome.status == 1 && !outcome.stderr.contains("s3cret"), "\(outcome)")
                #expect(server.requests.first?.target.hasPrefix("/sign-in/") == true)
            }
        }
    }

    @Test("a secret or key may come from a pipe that can be read once")
    func pipes() async throws {
        try await FaultServer.run({ _ in [.answer(401, body: "{}")] }) { server in
            try await withTemporaryFolder { folder in
                let key = folder.appendingPathComponent("key").path
                try #require(mkfifo(key, 0o600) == 0)
                // Opening a pipe blocks until the other end is opened.
                Thread.detachNewThread {
                    let descriptor = open(key, O_WRONLY)
                    _ = write(descriptor, "s3cret-key\n", 11)
                    close(descriptor)
                }
                let cosm = try await Tool.run(
                    ["cosm", "feeds", "--base-url", server.url + "/v2", "--key-file", key]
                )
                #expect(cosm.status == 1 && !cosm.stderr.contains("s3cret"), "\(cosm)")
                #expect(server.requests.last?.values(of: "X-ApiKey") == ["s3cret-key"])

                let example = "74168c7a1868ddeee3355fab9489914b"
                let sign = [
                    "sign", "--device-id", "a08ada7c88e2bd6c966de2c5cdfafe12", "--secret-id",
                    "91205b43c5144068ee9979b093925f77", "--timestamp", "1455264007", "--url", "http://localhost",
                ]
                let signed = try await Tool.run(sign + ["--secret-file", "-"], input: "\(example)\n")
                #expect(signed.status == 0, "\(signed)")
                #expect(try await Tool.run(sign + ["--secret", example]) == signed)
            }
        }
    }
}
