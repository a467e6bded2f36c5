import Foundation
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("helium serve, request and device", .timeLimit(.minutes(5)))
struct ServeAndRequestTests {
    @Test("helium serve prints its addresses, and stops on a signal", arguments: [SIGHUP, SIGINT, SIGTERM])
    func serve(signal: Int32) async throws {
        let (ready, status) = try await RunningServe.withProcess(signal: signal) { $0.ready }
        #expect(ready.http.hasPrefix("http://127.0.0.1:"))
        #expect(ready.middleware.base.hasPrefix(ready.http) && ready.middleware.devices.hasPrefix(ready.http))
        #expect(ready.middleware.secret == "74168c7a1868ddeee3355fab9489914b")
        #expect(ready.middleware.secretID == "91205b43c5144068ee9979b093925f77")
        #expect(ready.cosm.base == ready.http + "/v2")
        #expect(ready.cosm.webSocket.hasPrefix("ws://127.0.0.1:") && ready.cosm.tcp.hasPrefix("127.0.0.1:"))
        #expect(status == 0)
    }

    @Test("helium serve exits with 1 and the system's message if a port is in use")
    func busyPort() async throws {
        try await RunningServe.with { server in
            let port = try #require(URL(string: server.ready.http)?.port)
            let outcome = try await Tool.run(["serve", "--port", "\(port)"])
            #expect(outcome.status == 1 && outcome.stdout.isEmpty)
            #expect(
                outcome.stderr.hasSuffix("helium: cannot listen: 127.0.0.1, port \(port): Address already in use\n"),
                "\(outcome)"
            )
        }
    }

    @Test("helium serve takes the port of Cosm's TCP socket, and stores its key")
    func serveCosm() async throws {
        try await withTemporaryFolder { folder in
            let port = try LastingPort.next()
            let store = ["--store", folder.appendingPathComponent("server.sqlite").path]
            let arguments = store + ["--cosm-tcp-port", "\(port)"]
            let first = try await RunningServe.with(arguments) { $0.ready.cosm }.value
            let second = try await RunningServe.with(arguments) { $0.ready.cosm }.value
            #expect(second.key == first.key)
            #expect(first.tcp == "127.0.0.1:\(port)" && second.tcp == first.tcp)
        }
    }

    @Test("helium serve reads App.net's users from a file, and reports an invalid one without its contents")
    func serveAppNet() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("users.json")
            let users = #"{"users":[{"name":"zoe","tokens":["zoes-token"]}],"apps":[{"client_id":"app"}]}"#
            try Data(users.utf8).write(to: file)
            let ready = try await RunningServe.with(["--appnet-users", file.path]) { $0.ready }.value
            #expect(ready.appnet.users == [.init(username: "zoe", token: "zoes-token")])
            #expect(ready.appnet.clientID == "app" && ready.appnet.root == ready.http + "/stream/0")
            #expect(ready.appnet.oauth == ready.http + "/oauth")
            #expect(ready.appnet.pnut == ready.http + "/v1")
            #expect(ready.appnet.userStream == ready.http.replacing("http", with: "ws") + "/stream/user")
            try Data(#"{"users":[{"name":"zoe","tokens":"zoes-token"}]}"#.utf8).write(to: file)
            let failed = try await Tool.run(["serve", "--port", "0", "--appnet-users", file.path])
            #expect(failed.status != 0 && failed.stderr.contains(file.path), "\(failed)")
            #expect(!failed.stderr.contains("zoes-token"))
        }
    }

    @Test("helium request sends signed requests, and never prints the secret or the key")
    func signed() async throws {
        try await withTemporaryFolder { folder in
            try await RunningServe.with { server in
                let store = folder.appendingPathComponent("tokens.json").path
                func request(_ arguments: [String]) async throws -> Tool.Outcome {
                    try await Tool.run(
                        ["request"] + arguments + ["--base-url", server.ready.middleware.base, "-v"]
                            + server.credentials(store: store),
                        environment: server.environment
                    )
                }
                let post = try await request(["POST", "/todo", "--json", #"{"name":"Tea"}"#])
                #expect(post.status == 0 && post.stdout.contains(#""id""#), "\(post)")
                let get = try await request(["GET", "/todo", "--param", "limit=5"])
                #expect(get.status == 0 && get.stdout.contains(#""Tea""#), "\(get)")
                #expect(get.stderr.contains("200") && get.stderr.contains("time:"))
                let json = try await request(["get", "/todo/:id", "--replace", "id=1", "--format", "json"])
                #expect(json.status == 1, "\(json)")
                for text in [post.stderr, get.stderr, json.stderr] {
                    #expect(!text.contains(server.ready.middleware.secret))
                    #expect(text.firstMatch(of: /[0-9a-f]{64}/) == nil)
                }
            }
        }
    }

    @Test("helium request exits with 1, status and server errors after a failure")
    func failure() async throws {
        try await RunningServe.with { server in
            let base = server.ready.http
            let text = try await Tool.run(["request", "GET", "/demo-auth/v1/todo", "--base-url", base])
            #expect(text.status == 1 && text.stdout.isEmpty)
            #expect(text.stderr.contains("MissingRequiredParameter") && text.stderr.contains("400"))
            let json = try await Tool.run(["request", "GET", "/nowhere", "--base-url", base, "--format", "json"])
            let document = try JSONDecoder().decode(Failure.self, from: Data(json.stderr.utf8))
            #expect(json.status == 1 && document.kind == "unacceptableStatus" && document.status == 404)
        }
    }

    @Test("helium request exits with 1 at once if the connection is refused")
    func refused() async throws {
        let outcome = try await Tool.run(["request", "GET", "/", "--base-url", "http://127.0.0.1:1"])
        #expect(outcome.status == 1 && outcome.stderr.contains("connectionFailed"))
    }

    @Test("helium device registers, shows, updates and deletes a device, and never prints the token")
    func device() async throws {
        try await withTemporaryFolder { folder in
            try await RunningServe.with { server in
                let store = folder.appendingPathComponent("tokens.json")
                func device(_ verb: String) async throws -> [String: Any] {
                    let outcome = try await Tool.run(
                        ["device", verb, "--format", "json"] + server.credentials(store: store.path),
                        environment: server.environment
                    )
                    #expect(outcome.status == 0, "\(verb): \(outcome)")
                    let document = try JSONSerialization.jsonObject(with: Data(outcome.stdout.utf8))
                    return try #require(document as? [String: Any])
                }
                #expect(try await device("show")["isRegistered"] as? Bool == false)
                #expect(try await device("register")["isRegistered"] as? Bool == true)
                #expect(try await device("show")["isRegistered"] as? Bool == true)
                #expect(try await device("update")["isRegistered"] as? Bool == true)
                let kept = try String(contentsOf: store, encoding: .utf8)
                #expect(!kept.contains(server.ready.middleware.secret))
                #expect(try await device("forget")["isRegistered"] as? Bool == false)
                #expect(try await device("show")["isRegistered"] as? Bool == false)
            }
        }
    }

    @Test("several processes of helium request share one token store without damage")
    func sharedStore() async throws {
        try await withTemporaryFolder { folder in
            try await RunningServe.with { server in
                let store = folder.appendingPathComponent("tokens.json").path
                let arguments = server.credentials(store: store)
                let environment = server.environment
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for verb in ["register", "update", "register", "show", "update", "register"] {
                        group.addTask {
                            let process = Tool.process(["device", verb] + arguments, environment: environment)
                            return try await Tool.run(process).status
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == [0, 0, 0, 0, 0, 0])
                let shown = try await Tool.run(["device", "show"] + arguments, environment: environment)
                #expect(shown.stdout.contains("registered: yes"))
            }
        }
    }

    @Test("helium serve stores devices and todos in its file")
    func store() async throws {
        try await withTemporaryFolder { folder in
            let database = folder.appendingPathComponent("server.sqlite").path
            let tokens = folder.appendingPathComponent("tokens.json").path
            let credentials = ["--secret", "0123456789abcdef0123456789abcdef"]
            for round in 0..<2 {
                try await RunningServe.with(["--store", database] + credentials) { server in
                    let arguments = round == 0 ? ["POST", "/todo", "--json", #"{"name":"Kept"}"#] : ["GET", "/todo"]
                    let outcome = try await Tool.run(
                        ["request"] + arguments + ["--base-url", server.ready.middleware.base]
                            + server.credentials(store: tokens),
                        environment: server.environment
                    )
                    #expect(outcome.status == 0, "\(outcome)")
                    if round == 1 { #expect(outcome.stdout.contains("Kept")) }
                }
            }
        }
    }

    @Test("helium demo has no failed step, and writes a picture")
    func demo() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Tool.run(["demo"], folder: folder)
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.stdout.split(separator: "\n").last?.firstMatch(of: /^demo: \d+ steps, 0 failed$/) != nil)
            #expect(!outcome.stdout.contains("74168c7a1868ddeee3355fab9489914b"))
            let picture = try String(contentsOf: folder.appendingPathComponent("demo.svg"), encoding: .utf8)
            #expect(picture.hasPrefix("<svg ") && picture.contains("with 1 gap."))
        }
    }
}

@Suite("The picture of helium demo")
struct DemoPictureTests {
    @Test("the picture of helium demo replaces no file")
    func keepsFiles() async throws {
        try await withTemporaryFolder { folder in
            let names = try (0..<3).map { try ConAirDemo.keep(Data("picture \($0)".utf8), inFolder: folder.path) }
            #expect(names == ["demo.svg", "demo-2.svg", "demo-3.svg"])
            for (index, name) in names.enumerated() {
                let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                #expect(text == "picture \(index)")
            }
        }
    }
}

private struct Failure: Decodable {
    let kind: String
    let status: Int?
}
