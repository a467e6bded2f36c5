import Foundation
import HeliumTesting
import TestSupport
import Testing

@testable import HeliumCLI

/// Plants secrets in every place of the tool in which one can stand. The places on the command line are those of the
/// command tree, so no new command or option can be missing.
@Suite("Planted secrets", .timeLimit(.minutes(5)))
struct PlantedSecretTests {
    /// A command without subcommands.
    struct Leaf: Sendable, CustomTestStringConvertible {
        let path: [String]
        let options: [(spellings: [String], isFlag: Bool)]

        var testDescription: String { path.joined(separator: " ") }
    }

    private static func collect(_ command: ToolDescription.Command, below path: [String]) -> [Leaf] {
        let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
        guard subcommands.isEmpty else {
            return subcommands.flatMap { collect($0, below: path + [$0.commandName]) }
        }
        let options = (command.arguments ?? []).filter { $0.kind != .positional }
        return [Leaf(path: path, options: options.map { ($0.spellings, $0.kind == .flag) })]
    }

    private static let leaves: [Leaf] = {
        do { return collect(try ToolDescription.current().command, below: []) } catch { return [] }
    }()

    /// One spelling of an option, at the first command that has it.
    struct Option: Sendable, CustomTestStringConvertible {
        let path: [String]
        let name: String
        let ways: [[String]]

        var testDescription: String { (path + [name]).joined(separator: " ") }
    }

    /// The options whose values an error must not quote: in `make prove` all of them, each with a value in all ways, and in
    /// `make test` one in four in one of the ways.
    private static let options: [Option] = {
        var known = CommandLineSecrets.publicOptions
        let all = leaves.flatMap { leaf in
            leaf.options.flatMap { spellings, isFlag in
                spellings.filter { known.insert($0).inserted }.map { name in
                    Option(path: leaf.path, name: name, ways: arguments(name, isFlag: isFlag))
                }
            }
        }
        guard ProofLength.duration == nil else { return all }
        return all.enumerated().filter { $0.offset % 4 == 1 }.map { index, option in
            Option(path: option.path, name: option.name, ways: [option.ways[index / 4 % option.ways.count]])
        }
    }()

    /// The part of the planted value that no output may contain.
    private static let mark = "Pl4nted"
    private static let secret = "s3cr3t-Pl4nted="

    /// The ways in which a value can stand beside an option, with quotation marks and without.
    private static func arguments(_ name: String, isFlag: Bool) -> [[String]] {
        if name.utf8.count == 2 { return isFlag ? [["\(name)\(secret)"]] : [[name, secret], ["\(name)\(secret)"]] }
        if isFlag { return [["\(name)=\(secret)"]] }
        return [[name, secret], ["\(name)=\(secret)"], [name, "x", secret], ["\(name)x", secret]]
    }

    @Test("the command tree is complete, and has every option whose value an error may quote")
    func tree() {
        #expect(Self.leaves.count > 50)
        let names = Set(Self.leaves.flatMap { $0.options.filter { !$0.isFlag }.flatMap(\.spellings) })
        #expect(CommandLineSecrets.publicOptions.subtracting(names).isEmpty)
        for name in CommandLineSecrets.publicOptions {
            for word in ["secret", "token", "key", "password", "header", "param", "url", "file", "json", "form"] {
                #expect(!name.contains(word) || ["--max-filesize", "--format"].contains(name), "\(name)")
            }
        }
    }

    @Test("the value of an option is masked in a usage error of every command, unless it is known to be harmless")
    func masks() {
        for leaf in Self.leaves {
            for (spellings, isFlag) in leaf.options {
                for name in spellings where !CommandLineSecrets.publicOptions.contains(name) {
                    for arguments in Self.arguments(name, isFlag: isFlag) {
                        let words = JoinedHeaders.separated(leaf.path + arguments)
                        // The parser quotes words, and the parts of `--option=value`.
                        let parts = words.filter { $0.hasPrefix("--") }.flatMap {
                            $0.split(separator: "=", maxSplits: 1)
                        }
                        let quoted = (words + parts.map(String.init)).map { "'\($0)'" }.joined(separator: ", ")
                        let masked = CommandLineSecrets(words).masked(quoted)
                        #expect(!masked.contains(Self.mark), "\(words): \(masked)")
                    }
                }
            }
        }
    }

    @Test("no usage error quotes the value of an option that may be secret", .tags(.random), arguments: options)
    func usageErrors(option: Option) async throws {
        for arguments in option.ways {
            // The last option makes sure that no command runs.
            let outcome = try await Tool.run(option.path + arguments + ["--no-such-option"])
            let isHelp = ["-h", "--help", "--version"].contains(option.name)
            #expect(outcome.status == 64 || isHelp, "\(arguments): \(outcome)")
            #expect(!(outcome.stdout + outcome.stderr).contains(Self.mark), "\(arguments): \(outcome)")
        }
    }

    // MARK: Commands that run

    /// A command line and its surroundings. `URL`, `PORT` and `FOLDER` are replaced by those of the test.
    struct Row: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var environment: [String: String] = [:]
        var input: String?

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let identity = [
        "--secret-id", "91205b43c5144068ee9979b093925f77", "--devices-url", "URL/devices", "--token-store",
        "FOLDER/tokens.json",
    ]

    private static let rows: [Row] = {
        var rows: [Row] = []
        let bearer = ["HELIUM_BEARER": "s3cr3t-bearer"]
        for more in [[], ["-v"], ["--format", "json"], ["--fail-with-body", "-v"]] {
            let get = ["request", "GET", "URL/x"] + more
            rows += [
                Row(arguments: get, environment: bearer),
                Row(arguments: get + ["-H", "Authorization: Bearer s3cr3t-a"]),
                Row(arguments: get + ["-HX-Api-Key:s3cr3t-key"]),
                Row(arguments: get + ["--header=Cookie: id=s3cr3t-c"]),
                Row(arguments: get + ["--param", "access_token=s3cr3t-param"]),
                Row(arguments: ["request", "GET", "URL/x?token=s3cr3t-url"] + more),
                Row(arguments: ["request", "GET", "URL/x?key=s3cr3t-url"] + more),
                Row(arguments: ["request", "GET", "URL/v2/keys/s3cr3t-path.json?x=1"] + more),
                Row(arguments: get + ["--param", "key=s3cr3t-param"]),
                Row(arguments: ["request", "GET", "URL/:id", "--replace", "id=s3cr3t-path"] + more),
                Row(arguments: ["request", "POST", "URL/x", "--form", "password=s3cr3t-form"] + more),
                Row(arguments: ["request", "POST", "URL/x", "--multipart", "password=s3cr3t-part"] + more),
                Row(arguments: get + ["--secret", "s3cr3t-signing"] + identity),
                Row(arguments: get + ["--secret-file", "FOLDER/secret"] + identity),
                Row(arguments: get + identity, environment: ["HELIUM_SECRET": "s3cr3t-signing"]),
            ]
        }
        // No server.
        rows.append(Row(arguments: ["request", "GET", "http://127.0.0.1:1/x"], environment: bearer))
        for command in ["register", "update"] {
            rows.append(Row(arguments: ["device", command, "--secret", "s3cr3t-signing"] + identity))
        }
        rows.append(
            Row(arguments: ["sign", "--device-id", "d", "--url", "h", "--secret", "s3cr3t-signing", "--secret-id", "i"])
        )
        let cosm = ["COSM_BASE_URL": "URL/v2", "COSM_SOCKET_URL": "ws://127.0.0.1:PORT/"]
        let key = cosm.merging(["COSM_API_KEY": "s3cr3t-key"]) { $1 }
        for command in [
            ["feeds"], ["feed", "1"], ["keys"], ["watch", "1", "--timeout", "500ms"], ["push", "1", "t"],
        ] {
            rows += [
                Row(arguments: ["cosm"] + command, environment: key, input: "1\n"),
                Row(arguments: ["cosm"] + command + ["--key", "s3cr3t-key"], environment: cosm, input: "1\n"),
                Row(arguments: ["cosm"] + command + ["--key-file", "FOLDER/secret"], environment: cosm, input: "1\n"),
            ]
        }
        rows.append(Row(arguments: ["conair", "fetch", "--source", "cosm:1/t"], environment: key))
        let service = ["APPNET_BASE_URL": "URL/stream/0", "APPNET_STREAM_URL": "ws://127.0.0.1:PORT/"]
        let token = service.merging(["APPNET_TOKEN": "s3cr3t-token"]) { $1 }
        for command in [
            ["appnet", "user", "me"], ["appnet", "stream", "1", "--timeout", "500ms"],
            ["beast", "init", "--db", "FOLDER/db"],
        ] {
            rows += [
                Row(arguments: command, environment: token),
                Row(arguments: command + ["--token", "s3cr3t-token"], environment: service),
            ]
        }
        let client = ["APPNET_CLIENT_ID": "id", "XDG_CONFIG_HOME": "FOLDER"].merging(service) { $1 }
        rows.append(
            Row(
                arguments: [
                    "appnet", "login", "--password", "--username", "a", "--client-secret", "s3cr3t-client",
                ],
                environment: client,
                input: "s3cr3t-password\n"
            )
        )
        rows += [
            Row(
                arguments: [
                    "jetstream", "watch", "ws://127.0.0.1:PORT/", "Board", "--timeout", "500ms", "--header",
                    "Authorization: Bearer s3cr3t-jetstream", "--session-param", #"token="s3cr3t-session""#,
                ]
            ),
            Row(arguments: ["jetstream", "watch", "ws://h/", "Board", "--session-param", "token=s3cr3t-session"]),
            Row(arguments: ["serve", "--secret", "s3cr3t-short"]), Row(arguments: ["serve", "--secret", "---s3cr3t"]),
            // What is in a file, in place of its path.
            Row(arguments: ["serve", "--tls-cert", "x", "--tls-key=-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END"]),
            Row(arguments: ["serve", "--tls-cert", "x", "--tls-key", "-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END"]),
            Row(arguments: ["serve", "--appnet-users", #"{"users":[{"name":"a","password":"s3cr3t-password"}]}"#]),
            Row(arguments: ["serve", "--check", "FOLDER/secret"]),
            Row(arguments: ["serve", "--store", "FOLDER/secret", "--port", "0"]),
            Row(arguments: ["serve", "--appnet-users", "FOLDER/secret"]),
            Row(arguments: ["serve", "--tls-cert", "FOLDER/secret", "--tls-key", "FOLDER/secret", "--port", "0"]),
            Row(arguments: ["cosm", "feeds", "--key-file", "s3cr3t-key"], environment: cosm),
            Row(arguments: ["request", "GET", "URL/x", "--secret-file", "s3cr3t-signing"] + identity),
            Row(arguments: ["sign", "--device-id", "d", "--url", "h", "--secret-id", "i", "--secret-file", "s3cr3t-a"]),
            Row(arguments: ["appnet", "login", "--password", "s3cr3t-password", "--username", "a"]),
        ]
        return rows
    }()

    /// Answers with everything that it received in the places in which a service tells what is wrong.
    private static let echo: FaultServer.Script = { request in
        let names = ["Authorization", "X-Api-Key", "X-ApiKey", "Cookie"]
        let received = ([request.target] + names.flatMap { request.values(of: $0) }).joined(separator: " ")
        let text = (try? String(decoding: JSONEncoder().encode(received), as: UTF8.self)) ?? "\"\""
        let body = """
            {"title":\(text),"errors":\(text),"error":\(text),"meta":{"code":422,"error_message":\(text)}}
            """
        return [.answer(422, fields: ["Content-Type: application/json", "X-Echo: \(received)"], body: body)]
    }

    @Test("no secret is printed, whatever fails, and even if the server echoes it", arguments: rows)
    func runs(row: Row) async throws {
        try await FaultServer.run(Self.echo) { server in
            try await withTemporaryFolder { folder in
                try Data("s3cr3t-file\n".utf8).write(to: folder.appendingPathComponent("secret"))
                func filled(_ text: String) -> String {
                    text.replacing("URL", with: server.url).replacing("PORT", with: "\(server.port)")
                        .replacing("FOLDER", with: folder.path)
                }
                // `URL` is also a part of the names of variables.
                let environment = row.environment.mapValues(filled)
                let outcome = try await Tool.run(
                    row.arguments.map(filled),
                    environment: environment,
                    input: row.input
                )
                #expect([1, 64].contains(outcome.status), "\(outcome)")
                // What a failed response had, if that is asked for, is the content of the response.
                #expect(!outcome.stderr.contains("s3cr3t"), "\(outcome)")
                if !row.arguments.contains("--fail-with-body") {
                    #expect(!outcome.stdout.contains("s3cr3t"), "\(outcome)")
                }
            }
        }
    }
}
