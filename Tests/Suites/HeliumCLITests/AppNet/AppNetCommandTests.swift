import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("helium appnet", .timeLimit(.minutes(5)))
struct AppNetCommandTests {
    /// Runs commands as one of two users of a server of their own, and sees to it that none prints a secret.
    private func withServer(
        _ body: (_ appnet: (_ user: Int, [String]) async throws -> Tool.Outcome, RunningServe) async throws -> Void
    ) async throws {
        try await RunningServe.with { server in
            let ready = server.ready.appnet
            let secrets = ready.users.map(\.token) + [ready.clientSecret]
            try await body(
                { user, arguments in
                    let outcome = try await Tool.run(
                        ["appnet"] + arguments,
                        environment: server.appNetEnvironment(user: user)
                    )
                    for secret in secrets {
                        #expect(!outcome.stdout.contains(secret) && !outcome.stderr.contains(secret), "\(arguments)")
                    }
                    return outcome
                },
                server
            )
        }
    }

    private static func word(_ outcome: Tool.Outcome) -> String {
        #expect(outcome.status == 0, "\(outcome)")
        return outcome.stdout.trimmingCharacters(in: .newlines)
    }

    /// A channel that both users write to.
    private func channel(_ appnet: (Int, [String]) async throws -> Tool.Outcome) async throws -> String {
        let arguments = ["channel", "create", "--type", "com.example.chat", "--writer", "@bob"]
        return Self.word(try await appnet(0, arguments))
    }

    @Test("helium appnet sends, lists, reads and deletes a message")
    func messages() async throws {
        try await withServer { appnet, _ in
            let channel = try await channel(appnet)
            let annotation = #"{"type":"com.example.mood","value":{"level":3}}"#
            let id = Self.word(try await appnet(0, ["send", channel, "hello @bob", "--annotation", annotation]))
            let answer = Self.word(try await appnet(1, ["send", channel, "hello", "--reply-to", id]))

            let list = try await appnet(1, ["messages", channel]).stdout.split(separator: "\n")
            #expect(list.count == 3 && list[0].hasPrefix("ID") && list[1].contains("@alice  hello @bob"))
            #expect(list[2].hasPrefix(answer) && list[2].contains("@bob"))
            let one = try await appnet(1, ["messages", channel, "--limit", "1"]).stdout
            #expect(one.contains(answer) && !one.contains("@alice"))

            let read = try await appnet(1, ["read", channel, id]).stdout
            #expect(read.contains(#"com.example.mood {"level":3}"#) && read.contains("replies"))
            let json = try await appnet(1, ["read", channel, id, "--format", "json"]).stdout
            #expect(json.hasPrefix("{") && json.contains(#""text":"hello @bob""#))

            let channels = try await appnet(0, ["channels", "--type", "com.example.chat"]).stdout
            #expect(channels.contains(channel) && channels.contains("@alice"))

            let forbidden = try await appnet(1, ["delete", channel, id])
            #expect(forbidden.status == 1 && forbidden.stderr.contains("forbidden"), "\(forbidden)")
            #expect(try await appnet(0, ["delete", channel, id]).status == 0)
            #expect(try await appnet(1, ["messages", channel]).stdout.contains("(deleted)"))
        }
    }

    @Test("helium appnet uploads, attaches, shows and downloads a file")
    func files() async throws {
        try await withServer { appnet, _ in
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("list.txt").path
                let copy = folder.appendingPathComponent("copy.txt").path
                let content = Data("bread, milk".utf8)
                try content.write(to: URL(fileURLWithPath: file))
                let id = Self.word(try await appnet(0, ["files", "upload", file]))
                let shown = try await appnet(0, ["files", "get", id]).stdout
                #expect(shown.contains("list.txt") && shown.contains("11"))
                let json = try await appnet(0, ["files", "get", id, "--format", "json"]).stdout
                #expect(json.contains(#""name":"list.txt""#) && !json.contains("file_token"))
                let download = try await appnet(0, ["files", "get", id, "--output", copy])
                #expect(download.status == 0 && download.stdout.isEmpty, "\(download)")
                #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == content)
                let printed = try await appnet(0, ["files", "get", id, "--output", "-"])
                #expect(printed.status == 0 && printed.stdout == "bread, milk" && printed.stderr.isEmpty, "\(printed)")
                #expect(try await appnet(0, ["files", "get", id, "-o", "-", "--format", "json"]).status == 64)

                let channel = try await channel(appnet)
                let message = Self.word(try await appnet(0, ["send", channel, "see", "--attach", file]))
                let read = try await appnet(1, ["read", channel, message]).stdout
                #expect(read.contains("net.app.core.attachments") && read.contains("list.txt"))
            }
        }
    }

    @Test("helium appnet finds users and messages")
    func lookUps() async throws {
        try await withServer { appnet, _ in
            #expect(try await appnet(0, ["user", "bob"]).stdout.contains("@bob"))
            #expect(try await appnet(0, ["user", "me", "--format", "json"]).stdout.contains(#""username":"alice""#))
            let nobody = try await appnet(0, ["user", "nobody"])
            #expect(nobody.status == 1 && nobody.stderr.contains("notFound") && nobody.stdout.isEmpty)

            let channel = try await channel(appnet)
            _ = try await appnet(0, ["send", channel, "a needle in hay"])
            _ = try await appnet(0, ["send", channel, "only hay"])
            let found = try await appnet(0, ["search", "needle", "--channel", channel]).stdout
            #expect(found.contains("a needle in hay") && !found.contains("only hay"))
            #expect(try await appnet(0, ["search", "bob", "--in", "users"]).stdout.contains("@bob"))
        }
    }

    @Test("helium appnet uses the dialect of pnut.io")
    func pnut() async throws {
        try await withServer { appnet, server in
            let service = ["--dialect", "pnut", "--base-url", server.ready.appnet.pnut]
            let create = ["channel", "create", "--type", "com.example.chat", "--writer", "@bob"]
            let channel = Self.word(try await appnet(0, create + service))
            _ = Self.word(try await appnet(1, ["send", channel, "hello pnut"] + service))
            let list = try await appnet(0, ["messages", channel] + service)
            #expect(list.stdout.contains("@bob  hello pnut"), "\(list)")

            try await withTemporaryFolder { folder in
                let files = ["a.txt", "b.txt"].map { folder.appendingPathComponent($0) }
                for file in files { try Data("content of \(file.lastPathComponent)".utf8).write(to: file) }
                let attach = files.flatMap { ["--attach", $0.path] }
                let message = Self.word(try await appnet(0, ["send", channel, "see"] + attach + service))
                let read = try await appnet(1, ["read", channel, message] + service).stdout
                #expect(read.contains("net.app.core.attachments") && read.contains("a.txt") && read.contains("b.txt"))

                let id = Self.word(try await appnet(0, ["files", "upload", files[0].path] + service))
                let copy = folder.appendingPathComponent("copy").path
                let download = try await appnet(0, ["files", "get", id, "-o", copy] + service)
                #expect(download.status == 0, "\(download)")
                #expect(try String(contentsOfFile: copy, encoding: .utf8) == "content of a.txt")
                let printed = try await appnet(0, ["files", "get", id, "-o", "-"] + service)
                #expect(printed.status == 0 && printed.stdout == "content of a.txt", "\(printed)")
            }
        }
    }

    @Test("helium appnet stream prints events until a signal arrives")
    func stream() async throws {
        try await withServer { appnet, server in
            let channel = try await channel(appnet)
            let process = Tool.process(
                ["appnet", "stream", channel, "--format", "json"],
                environment: server.appNetEnvironment()
            )
            let stream = try RunningTool(starting: process)
            #expect(try await stream.errorLine() == "helium: subscribed")
            let id = Self.word(try await appnet(1, ["send", channel, "live"]))
            let added = try await stream.line()
            #expect(added.contains(#""change":"added""#) && added.contains(#""text":"live""#))
            _ = try await appnet(1, ["delete", channel, id])
            #expect(try await stream.line().contains(#""change":"deleted""#))
            #expect(try await stream.end(SIGTERM) == 0)
        }
    }
}

@Suite("helium appnet login", .timeLimit(.minutes(5)))
struct AppNetLoginTests {
    /// Returns an environment with the folder in which a login stores its token.
    private static func environment(_ server: RunningServe, _ folder: URL) -> [String: String] {
        server.appNetServer.merging(
            ["XDG_CONFIG_HOME": folder.path, "APPNET_CLIENT_ID": server.ready.appnet.clientID]
        ) { $1 }
    }

    private static func login(
        _ options: [String],
        password: String,
        _ environment: [String: String]
    ) async throws -> Tool.Outcome {
        try await Tool.run(["appnet", "login"] + options, environment: environment, input: "\(password)\n")
    }

    @Test("helium appnet login by password stores a token for the user only")
    func password() async throws {
        try await RunningServe.with { server in
            try await withTemporaryFolder { folder in
                var environment = Self.environment(server, folder)
                environment["APPNET_CLIENT_SECRET"] = "helium-password-grant"
                let before = try await Tool.run(["appnet", "user", "me"], environment: environment)
                #expect(before.status == 64 && before.stderr.contains("log in"))

                let options = ["--password", "--username", "alice"]
                let wrong = try await Self.login(options, password: "wrong-password", environment)
                #expect(wrong.status == 1 && wrong.stderr.contains("signInRefused"), "\(wrong)")
                #expect(!wrong.stderr.contains("wrong-password") && !wrong.stderr.contains("helium-password-grant"))

                let garbled = try await Tool.run(
                    ["appnet", "login"] + options,
                    environment: environment,
                    inputFile: .temporary(Data([0x70, 0xFF, 0x0A]))
                )
                #expect(garbled.status == 64 && garbled.stderr.contains("is not valid UTF-8"), "\(garbled)")

                let right = try await Self.login(options, password: "alice-password", environment)
                #expect(right.status == 0 && right.stdout == "signed in as alice\n", "\(right)")
                let store = folder.appendingPathComponent("helium/appnet-tokens.json").path
                let attributes = try FileManager.default.attributesOfItem(atPath: store)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                let after = try await Tool.run(["appnet", "user", "me"], environment: environment)
                #expect(after.status == 0 && after.stdout.contains("@alice"), "\(after)")
            }
        }
    }

    @Test("helium appnet login by a browser takes only the response to its own request")
    func web() async throws {
        try await RunningServe.with { server in
            try await withTemporaryFolder { folder in
                var environment = Self.environment(server, folder)
                environment["APPNET_CLIENT_SECRET"] = server.ready.appnet.clientSecret
                let login = RunningTool(["appnet", "login", "--web"], environment: environment)
                let address = try #require(URLComponents(string: try await login.line()))
                let query = Dictionary((address.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
                let target = try #require(query["redirect_uri"])
                let state = try #require(query["state"])
                #expect(target.hasPrefix("http://127.0.0.1:") && query["response_type"] == "code")

                // Somebody else's answer.
                let stranger = try await Self.get("\(target)?code=x&state=other")
                #expect(stranger == 400)
                // The browser: the page's form is filled in, and the way back followed.
                var form = query
                form["username"] = "bob"
                form["password"] = "bob-password"
                form["decision"] = "allow"
                // At this point it is unknown whether the code can be exchanged for a token.
                let page = try await Self.post(address, form)
                #expect(
                    page?.status == 200 && page?.text.hasPrefix("The response has arrived.") == true,
                    "\(page as Any)"
                )
                #expect(try await login.line() == "signed in as bob")
                #expect(try await login.status() == 0)
                #expect(!state.isEmpty)
                let me = try await Tool.run(["appnet", "user", "me"], environment: environment)
                #expect(me.stdout.contains("@bob"), "\(me)")
            }
        }
    }

    @Test("helium appnet login fails if the browser does not come back in time")
    func deadline() async throws {
        let outcome = try await Tool.run(
            [
                "appnet", "login", "--web", "--wait", "300ms", "--client-id", "c", "--client-secret", "SECRET",
                "--base-url", "http://127.0.0.1:9/stream/0",
            ]
        )
        #expect(outcome.status == 1 && outcome.stderr.contains("did not arrive in time"), "\(outcome)")
        #expect(outcome.stdout.hasPrefix("http://127.0.0.1:9/oauth/authenticate?client_id=c"))
        #expect(!outcome.stdout.contains("SECRET") && !outcome.stderr.contains("SECRET"))
    }

    private static func get(_ address: String) async throws -> Int? {
        let url = try #require(URL(string: address))
        return try await (URLSession.shared.data(from: url).1 as? HTTPURLResponse)?.statusCode
    }

    private static func post(
        _ address: URLComponents,
        _ form: [String: String]
    ) async throws -> (status: Int, text: String)? {
        var address = address
        address.query = nil
        var request = URLRequest(url: try #require(address.url))
        request.httpMethod = "POST"
        var body = URLComponents()
        body.queryItems = form.map { URLQueryItem(name: $0.key, value: $0.value) }
        request.httpBody = Data((body.percentEncodedQuery ?? "").utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse).map { ($0.statusCode, String(decoding: data, as: UTF8.self)) }
    }
}
