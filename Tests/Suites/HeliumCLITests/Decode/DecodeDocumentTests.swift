import Foundation
import Testing

@Suite("helium decode KIND")
struct DecodeDocumentTests {
    private func decode(_ kind: String, _ document: String, as name: String, _ options: String...) async throws
        -> Tool.Outcome
    {
        try await decode(kind, document, as: name, options)
    }

    private func decode(_ kind: String, _ document: String, as name: String, _ options: [String]) async throws
        -> Tool.Outcome
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("helium-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(document.utf8).write(to: file)
        let outcome = try await Tool.run(["decode", kind, file.path] + options)
        return Tool.Outcome(
            status: outcome.status,
            stdout: outcome.stdout,
            stderr: outcome.stderr.replacingOccurrences(of: file.path, with: name)
        )
    }

    @Test(
        "helium decode KIND prints canonical JSON of a document in the format of its extension",
        arguments: [
            ("cosm.feed", "f.json", #"{"title":"t","id":"7"}"#, #"{"id":7,"title":"t"}"#),
            ("cosm.feed", "f.CSV", "b,1", #"{"datastreams":[{"current_value":"1","id":"b"}]}"#),
            (
                "cosm.datapoint", "d.xml",
                "<eeml><environment><data><datapoints><value>1</value></datapoints></data></environment></eeml>",
                #"{"value":"1"}"#
            ),
            ("cosm.keys", "k.json", #"{"keys":[{"label":"x"}]}"#, #"[{"label":"x"}]"#),
            ("cosm.key", "k.json", #"{"key":{"label":"x"}}"#, #"{"label":"x"}"#),
            ("cosm.socket", "s.json", #"{"status":200,"token":"a"}"#, #"{"status":200,"token":"a"}"#),
        ]
    )
    func canonical(kind: String, name: String, document: String, printed: String) async throws {
        let outcome = try await decode(kind, document, as: name)
        #expect(outcome.status == 0 && outcome.stdout == printed + "\n" && outcome.stderr.isEmpty)
    }

    @Test(
        "helium decode KIND exits with 1, path, line and reason for an invalid document",
        arguments: [
            (
                "cosm.feed", "f.json", "{\n\"datastreams\": \"x\"}",
                "helium: f.json:2:16: datastreams: expected a list, found a string"
            ),
            ("cosm.feed", "f.csv", "a,1\nb", "helium: f.csv:2: 1 cell, expected `id,value` or `id,at,value`"),
            ("cosm.feed", "f.xml", "<eeml/>", "helium: f.xml:1: <eeml>: the element <environment> is missing"),
            ("cosm.feed", "f.txt", "{}", "helium: f.txt: the name must end with .json, .csv or .xml"),
            ("cosm.socket", "s.json", "{}", "helium: s.json:1:1: it is not a frame of the socket"),
        ]
    )
    func invalid(kind: String, name: String, document: String, told: String) async throws {
        let outcome = try await decode(kind, document, as: name)
        #expect(outcome.status == 1 && outcome.stdout.isEmpty && outcome.stderr == told + "\n", "\(outcome.stderr)")
    }

    @Test("helium decode KIND exits with 1 for a missing file, and with 64 for an unknown kind")
    func missing() async throws {
        let missing = try await Tool.run(["decode", "cosm.feed", "/nonexistent/feed.json"])
        #expect(missing.status == 1 && missing.stderr.contains("/nonexistent/feed.json: the file can't be read"))
        let unknown = try await Tool.run(["decode", "cosm.nothing", "/nonexistent/feed.json"])
        #expect(unknown.status == 64 && unknown.stderr.contains("unknown kind \"cosm.nothing\""))
        #expect(try await Tool.run(["decode", "cosm.feed"]).status == 64)
    }

    @Test("helium decode KIND says that it uses the first of two equal members, and --strict rejects them")
    func equalMembers() async throws {
        let document = #"{"title":"t","title":"u"}"#
        let place = "helium: f.json:1:14: an object has two members with this name"
        let outcome = try await decode("cosm.feed", document, as: "f.json")
        #expect(outcome.status == 0 && outcome.stdout == "{\"title\":\"t\"}\n", "\(outcome)")
        #expect(outcome.stderr == place + ": the first one is used\n")
        let strict = try await decode("cosm.feed", document, as: "f.json", "--strict")
        #expect(strict.status == 1 && strict.stdout.isEmpty && strict.stderr == place + "\n", "\(strict)")
    }

    @Test("helium decode --strict exits with 1 and lists members without a property at any depth")
    func strict() async throws {
        let document = #"{"x":1,"datastreams":[{"id":"a","y":{}}]}"#
        let outcome = try await decode("cosm.feed", document, as: "f.json", "--strict")
        #expect(outcome.status == 1 && outcome.stdout.isEmpty)
        #expect(outcome.stderr == "helium: f.json: unknown member x\nhelium: f.json: unknown member datastreams[0].y\n")
        #expect(try await decode("cosm.feed", document, as: "f.json").status == 0)
        #expect(try await decode("cosm.feed", #"{"id":1}"#, as: "f.json", "--strict").status == 0)
    }

    @Test("helium decode --strict prints the name of an unknown member on one line")
    func strictNames() async throws {
        let document = #"{"x\nhelium: forged\u001b[2J":1}"#
        let outcome = try await decode("cosm.feed", document, as: "f.json", "--strict")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.stderr.split(separator: "\n").count == 1 && !outcome.stderr.contains("\u{1B}"), "\(outcome)")
    }

    @Test("helium decode cosm.socket decodes the feeds and datastreams of pushes only")
    func socketFrames() async throws {
        #expect(try await decode("cosm.socket", #"{"body":{"x":1}}"#, as: "s.json", "--strict").status == 0)
        let reply = #"{"resource":"/feeds/1","status":200,"body":{"x":1}}"#
        #expect(try await decode("cosm.socket", reply, as: "s.json", "--strict").status == 0)
        let feed = #"{"resource":"/feeds/1","body":{"id":1,"x":1,"datastreams":[{"id":"a","y":2}]}}"#
        let strict = try await decode("cosm.socket", feed, as: "s.json", "--strict")
        #expect(strict.status == 1 && strict.stderr.contains("unknown member body.x\n"), "\(strict)")
        #expect(strict.stderr.contains("unknown member body.datastreams[0].y\n"))
        let stream = #"{"resource":"/feeds/1/datastreams/a","body":{"id":"a","current_value":1.50}}"#
        let read = try await decode("cosm.socket", stream, as: "s.json", "--strict")
        #expect(read.status == 0 && read.stdout.contains(#""body":{"current_value":"1.5","id":"a"}"#), "\(read)")
        let broken = #"{"resource":"/feeds/1","body":{"datastreams":"x"}}"#
        let refused = try await decode("cosm.socket", broken, as: "s.json")
        #expect(refused.status == 1 && refused.stderr.contains("body.datastreams: expected a list"), "\(refused)")
    }

    @Test("helium decode --v1 decodes version 1 of Cosm's documents")
    func version1() async throws {
        let outcome = try await decode("cosm.feed", "15,912,327", as: "f.csv", "--v1")
        #expect(outcome.status == 0 && outcome.stdout.contains(#"{"current_value":"912","id":"1"}"#))
        #expect(try await decode("cosm.feed", "a,1\nb,2", as: "f.csv", "--v1").status == 1)
        // Whatever the document says itself.
        let json = #"{"version":"1.0.0","datastreams":[{"values":[{"value":"7"}]}]}"#
        let xml = #"<eeml version="0.5.1"><environment><data><value>7</value></data></environment></eeml>"#
        for (name, document) in [("f.json", json), ("f.xml", xml)] {
            #expect(try await decode("cosm.feed", document, as: name, "--v1").stdout.contains(#""current_value":"7""#))
            #expect(try await !decode("cosm.feed", document, as: name).stdout.contains("current_value"))
        }
    }

    @Test(
        "helium decode prints App.net's values, lists, responses and recorded calls",
        arguments: [
            ("appnet.message", [], #"{"text":"a","id":7}"#, #"{"id":"7","text":"a"}"#),
            ("appnet.user", ["--list"], #"[{"id":"1"}]"#, #"[{"id":"1"}]"#),
            (
                "appnet.post", ["--envelope", "--list"], #"{"meta":{"code":200},"data":[{"id":1}]}"#,
                #"{"data":[{"id":"1"}],"meta":{"code":200}}"#
            ),
            (
                "appnet.channel", ["--exchange"],
                #"{"request":{"method":"GET","path":"/"},"response":{"status":200,"body":{"data":{"id":2}}}}"#,
                #"{"request":{"method":"GET","path":"/"},"response":{"body":{"data":{"id":"2"}},"status":200}}"#
            ),
            (
                "appnet.event", [], #"{"meta":{"type":"star"},"data":{"user":{"id":2}}}"#,
                #"{"data":{"user":{"id":"2"}},"meta":{"type":"star"}}"#
            ),
        ]
    )
    func appNet(kind: String, options: [String], document: String, printed: String) async throws {
        let outcome = try await decode(kind, document, as: "a.json", options)
        #expect(outcome.status == 0 && outcome.stdout == printed + "\n" && outcome.stderr.isEmpty, "\(outcome.stderr)")
    }

    @Test("helium decode refuses invalid documents of App.net, and options of Cosm")
    func appNetFailures() async throws {
        let wrong = try await decode("appnet.user", "{\n\"counts\": 1}", as: "a.json")
        #expect(wrong.status == 1 && wrong.stderr.hasPrefix("helium: a.json:2:11: counts: "), "\(wrong.stderr)")
        let unknown = try await decode(
            "appnet.message",
            #"{"x":1,"user":{"y":2},"annotations":[{"type":"a","value":{"z":3}}]}"#,
            as: "a.json",
            ["--strict"]
        )
        #expect(unknown.stderr == "helium: a.json: unknown member x\nhelium: a.json: unknown member user.y\n")
        #expect(try await decode("appnet.message", "{}", as: "a.json", ["--v1"]).status == 64)
        #expect(try await decode("appnet.message", "{}", as: "a.json", ["--envelope", "--exchange"]).status == 64)
        #expect(try await decode("cosm.feed", "{}", as: "a.json", ["--list"]).status == 64)
        for (document, told) in [
            (#"{"id":"1","text":"a"}"#, "it is not a response, which has meta and data"),
            (#"{"meta":{},"data":{"id":"1"}}"#, "meta.code: it is missing"),
        ] {
            let outcome = try await decode("appnet.message", document, as: "a.json", ["--envelope"])
            #expect(outcome.status == 1 && outcome.stderr == "helium: a.json: \(told)\n", "\(outcome)")
        }
    }

    @Test("helium decode reads standard input", arguments: ["appnet.place", "cosm.feed", "json"])
    func standardInput(kind: String) async throws {
        let outcome = try await Tool.run(["decode", kind, "-"], input: "{\"title\":\"1\"}\n")
        #expect(outcome.status == 0 && outcome.stdout == "{\"title\":\"1\"}\n", "\(outcome)")
        let directory = try await Tool.run(["decode", kind, "/tmp"])
        #expect(directory.stderr.contains("/tmp: the file can't be read: Is a directory"), "\(directory)")
    }

    @Test("helium decode reads pipes", arguments: ["cosm.feed", "json"])
    func pipes(kind: String) async throws {
        // In a command that runs as a task, /dev/stdin is that of the test process.
        let tool = "'\(Tool.executable.path)'"
        let outcome = try await Tool.shell(
            "echo '{\"title\":\"1\"}' | \(tool) decode \(kind) /dev/stdin",
            in: URL(fileURLWithPath: "/tmp")
        )
        #expect(outcome.status == 0 && outcome.stdout == "{\"title\":\"1\"}\n", "\(outcome)")
    }
}
