import Foundation
import HeliumTesting
import TestSupport
import Testing

@Suite("Results of a service on a terminal", .timeLimit(.minutes(5)))
struct TerminalOutputTests {
    /// A text that would clear a terminal, by an escape sequence and by a control character of Latin 1.
    private static let text = "a\u{1B}[2J\u{9B}2J"
    private static let escaped = "a\\u{1b}[2J\\u{9b}2J"

    /// Runs the tool with a terminal as its standard output.
    ///
    /// - Returns: What the terminal shows.
    private func shown(_ arguments: [String], _ environment: [String: String]) async throws -> String {
        let terminal = try #require(PseudoTerminal())
        let outcome = try await Tool.run(arguments, environment: environment, output: terminal.process)
        #expect(outcome.status == 0, "\(arguments): \(outcome)")
        return terminal.shown()
    }

    private func expectHarmless(_ shown: String, _ comment: String) {
        let controls = shown.unicodeScalars.filter {
            $0.value < 0x20 && $0 != "\n" && $0 != "\r" || 0x7F..<0xA0 ~= $0.value
        }
        #expect(controls.isEmpty && shown.contains("[2J"), "\(comment): \(shown.debugDescription)")
    }

    @Test("documents and tables of Cosm are escaped on a terminal, and not in a pipe")
    func cosm() async throws {
        let datastream = #"{"id":"t","current_value":"a\u001b[2J\u009b2J","at":"2013-02-01T09:00:02Z"}"#
        let feed = #"{"id":1,"title":"a\u001b[2J\u009b2J","datastreams":[\#(datastream)]}"#
        let script: FaultServer.Script = { request in
            let list = #"{"totalResults":1,"results":[\#(feed)]}"#
            let body = request.target.contains("feeds/1") ? feed : list
            return [.answer(fields: ["Content-Type: application/json"], body: body)]
        }
        try await FaultServer.run(script) { server in
            let environment = ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann"]
            for format in ["table", "json", "csv", "xml"] {
                let text = try await shown(["cosm", "feed", "1", "--format", format], environment)
                expectHarmless(text, "feed as \(format)")
                if format == "csv" { #expect(text == "t,2013-02-01T09:00:02.000000Z,\(Self.escaped)\r\n") }
                guard format != "csv" else { continue }
                expectHarmless(
                    try await shown(["cosm", "feeds", "--format", format], environment),
                    "feeds as \(format)"
                )
            }
            let piped = try await Tool.run(["cosm", "feed", "1", "--format", "csv"], environment: environment)
            #expect(piped.stdout == "t,2013-02-01T09:00:02.000000Z,\(Self.text)\n")
        }
    }

    @Test("rows of a history and ids of created objects are escaped on a terminal")
    func rows() async throws {
        let script: FaultServer.Script = { request in
            guard request.method == "GET" else {
                return [.answer(201, fields: ["Location: /v2/feeds/a%1B[2J%C2%9B2J"], body: "")]
            }
            let point = #"{"at":"2013-02-01T01:00:00Z","value":"a\u001b[2J\u009b2J"}"#
            let points = request.target.contains("start=2013-02-01T00") ? point : ""
            return [
                .answer(fields: ["Content-Type: application/json"], body: #"{"id":"temp","datapoints":[\#(points)]}"#)
            ]
        }
        try await FaultServer.run(script) { server in
            let environment = ["COSM_BASE_URL": server.url + "/v2", "COSM_API_KEY": "key-of-ann"]
            let stretch = ["--all", "--start", "2013-02-01T00:00:00Z", "--duration", "6hours"]
            for format in ["table", "csv"] {
                let text = try await shown(["cosm", "history", "1", "temp", "--format", format] + stretch, environment)
                expectHarmless(text, format)
            }
            let created = try await shown(["cosm", "create", "--title", "x"], environment)
            #expect(created == Self.escaped + "\r\n")
        }
    }

    @Test("live updates of Cosm are escaped on a terminal in every format", arguments: ["table", "json", "csv", "xml"])
    func watch(format: String) async throws {
        try await RunningServe.with { server in
            let created = try await Tool.run(
                ["cosm", "create", "--title", "Shed", "--datastream", "note=\(Self.text)"],
                environment: server.cosmEnvironment
            )
            #expect(created.status == 0, "\(created)")
            let id = created.stdout.trimmingCharacters(in: .newlines)
            let terminal = try #require(PseudoTerminal())
            let watch = RunningTool(
                ["cosm", "watch", id, "--current", "--format", format],
                environment: server.cosmEnvironment,
                output: terminal.process
            )
            var text = ""
            try await eventually {
                text += terminal.shown()
                return text.contains("2J\r\n") || text.contains("</eeml>") || text.contains("}\r\n")
            }
            #expect(try await watch.end(SIGINT) == 0)
            expectHarmless(text, format)
        }
    }

    @Test("the content of a file of App.net is escaped on a terminal, and unchanged in a pipe")
    func fileContent() async throws {
        let script: FaultServer.Script = { request in
            if request.target.contains("content") { return [.answer(body: Self.text)] }
            return [
                .answer(
                    fields: ["Content-Type: application/json"],
                    body: #"{"meta":{"code":200},"data":{"id":"4","name":"x","complete":true}}"#
                )
            ]
        }
        try await FaultServer.run(script) { server in
            let environment = ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "t0ken-of-alice"]
            let get = ["appnet", "files", "get", "4", "-o", "-"]
            let onTerminal = try await shown(get, environment)
            #expect(onTerminal == Self.escaped)
            let inPipe = try await Tool.run(get, environment: environment)
            #expect(inPipe.stdout == Self.text)
        }
    }

    @Test("the content of a file and a body are escaped on a terminal that --output names")
    func namedTerminal() async throws {
        let script: FaultServer.Script = { request in
            if request.target.contains("content") || request.target.contains("body") {
                return [.answer(fields: ["Content-Type: application/json"], body: #"{"a":"\#(Self.text)"}"#)]
            }
            return [
                .answer(
                    fields: ["Content-Type: application/json"],
                    body: #"{"meta":{"code":200},"data":{"id":"4","name":"x","complete":true}}"#
                )
            ]
        }
        try await withTemporaryFolder { folder in
            try await FaultServer.run(script) { server in
                let environment = ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "t0ken-of-alice"]
                let commands = [
                    ["appnet", "files", "get", "4", "-o"],
                    ["request", "GET", "/body", "--base-url", server.url, "--output"],
                    ["request", "GET", "/body", "--base-url", server.url, "--format", "json", "--output"],
                ]
                for command in commands {
                    let terminal = try #require(PseudoTerminal())
                    let path = try #require(terminal.path)
                    let link = folder.appendingPathComponent("link").path
                    try? FileManager.default.removeItem(atPath: link)
                    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
                    // Its standard output is not the terminal.
                    for target in [path, link] {
                        let outcome = try await Tool.run(command + [target], environment: environment)
                        #expect(outcome.status == 0 && !outcome.stdout.contains("2J"), "\(command): \(outcome)")
                        #expect(terminal.shown() == #"{"a":"\#(Self.escaped)"}"#, "\(command) \(target)")
                    }
                    // In a process, because it is the standard output of this one otherwise.
                    for target in ["/dev/stdout", "/dev/fd/1"] {
                        let process = Tool.process(command + [target], environment: environment)
                        #expect(try await Tool.run(process, output: terminal.process).status == 0)
                        let shown = terminal.shown()
                        #expect(shown.hasPrefix(#"{"a":"\#(Self.escaped)"}"#), "\(shown.debugDescription)")
                    }
                }
            }
        }
    }

    @Test("the id of a created object is one line, also in a pipe")
    func createdID() async throws {
        let script: FaultServer.Script = { _ in
            [
                .answer(
                    fields: ["Content-Type: application/json"],
                    body: #"{"meta":{"code":200},"data":{"id":"1\nforged","channel_id":"3"}}"#
                )
            ]
        }
        try await FaultServer.run(script) { server in
            let environment = ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "t0ken-of-alice"]
            let sent = try await Tool.run(["appnet", "send", "3", "Tea"], environment: environment)
            #expect(sent.status == 0 && sent.stdout == "1\\nforged\n", "\(sent)")
        }
    }

    @Test("a decoded document is escaped on a terminal")
    func decode() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("feed.json")
            try Data(#"{"id":1,"title":"\#(Self.text.replacing("\u{1B}", with: "\\u001b"))"}"#.utf8).write(to: file)
            expectHarmless(try await shown(["decode", "cosm.feed", file.path], [:]), "decode")
        }
    }

    @Test("tables and documents of App.net are escaped on a terminal")
    func appNet() async throws {
        let user = #"{"id":"1","username":"alice","name":"a\u001b[2J\u009b2J"}"#
        let message = #"{"id":"2","channel_id":"3","user":\#(user),"text":"a\u001b[2J\u009b2J"}"#
        let script: FaultServer.Script = { request in
            let data = request.target.contains("messages") ? "[\(message)]" : user
            return [
                .answer(fields: ["Content-Type: application/json"], body: #"{"meta":{"code":200},"data":\#(data)}"#)
            ]
        }
        try await FaultServer.run(script) { server in
            let environment = ["APPNET_BASE_URL": server.url + "/stream/0", "APPNET_TOKEN": "t0ken-of-alice"]
            for command in [["user", "1"], ["messages", "3"]] {
                for more in [[], ["--format", "json"]] {
                    expectHarmless(try await shown(["appnet"] + command + more, environment), "\(command + more)")
                }
            }
        }
    }
}
