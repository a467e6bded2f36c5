import Foundation
import TestSupport
import Testing

@Suite("helium cosm", .timeLimit(.minutes(5)))
struct CosmCommandTests {
    /// Runs commands against a server of their own, and sees to it that none prints the key.
    private func withServer(
        _ body: (_ cosm: ([String], String?) async throws -> Tool.Outcome, RunningServe) async throws -> Void
    ) async throws {
        try await RunningServe.with { server in
            try await body(
                { arguments, input in
                    let outcome = try await Tool.run(
                        ["cosm"] + arguments,
                        environment: server.cosmEnvironment,
                        input: input
                    )
                    for text in [outcome.stdout, outcome.stderr] where !arguments.contains("--show-keys") {
                        #expect(!text.contains(server.ready.cosm.key), "\(arguments)")
                    }
                    return outcome
                },
                server
            )
        }
    }

    @Test("helium cosm creates, shows, changes, lists and deletes a feed")
    func lifecycle() async throws {
        try await withServer { cosm, _ in
            let created = try await cosm(
                [
                    "create", "--title", "Shed", "--tag", "wood", "--lat", "-33.8", "--lon", "151.2",
                    "--datastream", "temp=20.5", "--datastream", "note",
                ],
                nil
            )
            #expect(created.status == 0, "\(created)")
            let id = created.stdout.trimmingCharacters(in: .newlines)
            #expect(Int(id) != nil && created.stdout == "\(id)\n")

            let shown = try await cosm(["feed", id], nil).stdout
            #expect(shown.contains("title     Shed") && shown.contains("-33.8, 151.2") && shown.contains("temp"))
            #expect(try await cosm(["feed", id, "--datastream", "note"], nil).stdout.contains("temp") == false)

            let updated = try await cosm(["update", id, "--description", "of wood", "--datastream", "temp=21"], nil)
            #expect(updated.status == 0 && updated.stdout.isEmpty, "\(updated)")
            let json = try await cosm(["feed", id, "--format", "json"], nil).stdout
            #expect(json.contains(#""description":"of wood""#) && json.contains(#""current_value":"21""#))
            #expect(json.contains(#""title":"Shed""#))

            let list = try await cosm(["feeds", "--query", "shed", "--per-page", "1"], nil).stdout
            #expect(list.split(separator: "\n").count == 2 && list.contains("note temp") || list.contains("temp note"))
            #expect(
                try await cosm(["feeds", "--query", "barn", "--all"], nil).stdout.split(separator: "\n").count == 1
            )

            #expect(try await cosm(["delete", id], nil).status == 0)
            let gone = try await cosm(["feed", id], nil)
            #expect(gone.status == 1 && gone.stdout.isEmpty && gone.stderr.contains("notFound"))
        }
    }

    @Test("helium cosm push stores values from a pipe in batches, and history prints them in every format")
    func pushAndHistory() async throws {
        try await withServer { cosm, _ in
            let id = try await feed(cosm)
            let lines = (0..<1200).map { "2013-02-01T09:\(pad($0 / 60)):\(pad($0 % 60))Z,\($0)" }.joined(
                separator: "\n"
            )
            let pushed = try await cosm(["push", id, "temp"], lines)
            #expect(pushed.status == 0 && pushed.stdout == "1200 points stored\n", "\(pushed)")

            let stretch = ["--start", "2013-02-01T09:00:00Z", "--end", "2013-02-01T10:00:00Z"]
            let all = try await cosm(["history", id, "temp", "--all", "--format", "csv"] + stretch, nil)
            let rows = all.stdout.split(separator: "\n")
            #expect(rows.count == 1200 && rows.first == "2013-02-01T09:00:00.000000Z,0" && all.stderr.isEmpty)
            #expect(rows.last == "2013-02-01T09:19:59.000000Z,1199")

            let few = ["history", id, "temp", "--limit", "2"] + stretch
            let table = try await cosm(few, nil).stdout
            #expect(
                table
                    == "AT                           VALUE\n2013-02-01T09:00:00.000000Z  0\n2013-02-01T09:00:01.000000Z  1\n"
            )
            let json = try await cosm(few + ["--format", "json"], nil).stdout
            #expect(json.contains(#""value":"1""#) && json.hasPrefix(#"{"id":"temp","current_value":"1199","#))
            let xml = try await cosm(few + ["--format", "xml"], nil).stdout
            #expect(xml.contains(#"<value at="2013-02-01T09:00:01.000000Z">1</value>"#))

            let sampled = try await cosm(
                ["history", id, "temp", "--interval", "900", "--format", "csv"] + stretch,
                nil
            )
            #expect(sampled.stdout.split(separator: "\n").map { $0.split(separator: ",")[1] } == ["0", "900", "1199"])
            #expect(
                try await cosm(["history", id, "temp", "--limit", "1", "--format", "csv"], nil).stdout.hasSuffix(
                    ",1199\n"
                )
            )
        }
    }

    @Test("helium cosm history --all prints points after the present time", arguments: ["csv", "json"])
    func future(format: String) async throws {
        try await withServer { cosm, _ in
            let id = try await feed(cosm)
            let history = ["history", id, "temp", "--all", "--format", format]
            let next = ["--start", "2096-02-01T09:00:00Z"]
            let nothing = try await cosm(history + next, nil)
            #expect(nothing.status == 0 && !nothing.stdout.contains("2096"), "\(nothing)")
            let pushed = try await cosm(["push", id, "temp"], "2096-02-01T09:00:00Z,1\n2096-02-01T20:00:00Z,2\n")
            #expect(pushed.status == 0)
            for (range, times) in [
                (next, ["09:00", "20:00"]), (["--start", "2096-02-01T09:30:00Z"], ["20:00"]),
                (["--start", "2096-02-02T00:00:00Z"], []), (next + ["--duration", "1hour"], ["09:00"]),
                (next + ["--end", "2096-02-01T20:00:00Z"], ["09:00", "20:00"]),
            ] {
                let outcome = try await cosm(history + range, nil)
                #expect(outcome.status == 0 && outcome.stderr.isEmpty, "\(outcome)")
                // A document also has the time of the current value, before the points.
                let parts = outcome.stdout.components(separatedBy: "datapoints")
                let points = format == "csv" ? parts[0] : parts.dropFirst().joined()
                #expect(["09:00", "20:00"].filter { points.contains("01T\($0)") } == times, "\(range): \(outcome)")
            }
        }
    }

    @Test("helium cosm push reports an invalid line with its number, and stores the lines before")
    func badLine() async throws {
        try await withServer { cosm, _ in
            let id = try await feed(cosm)
            let pushed = try await cosm(["push", id, "temp"], "1\n2\nsoon,3\n4\n")
            #expect(pushed.status == 1 && pushed.stdout.isEmpty)
            #expect(pushed.stderr.contains("line 3") && pushed.stderr.contains("2 points stored, nothing after it"))
            #expect(
                try await cosm(["history", id, "temp", "--format", "csv"], nil).stdout.split(separator: "\n").count == 2
            )
        }
    }

    @Test("helium cosm push reports a server's refusal with the number of stored values")
    func refused() async throws {
        try await withServer { cosm, _ in
            let pushed = try await cosm(["push", "99", "temp"], "1\n2\n")
            #expect(pushed.status == 1 && pushed.stderr.contains("0 points stored; the 2 points read"))
            #expect(pushed.stderr.contains("notFound"))
        }
    }

    @Test("helium cosm push creates a missing datastream")
    func created() async throws {
        try await withServer { cosm, _ in
            let id = try await feed(cosm)
            let pushed = try await cosm(["push", id, "pressure"], "1\n2\n")
            #expect(pushed.status == 0 && pushed.stdout == "2 points stored\n")
            #expect(pushed.stderr == "helium: created the datastream pressure\n")
            let again = try await cosm(["push", id, "pressure"], "3\n")
            #expect(again.status == 0 && again.stderr.isEmpty)
        }
    }

    @Test(
        "helium cosm push stores an open pipe line by line, and loses nothing on a signal",
        arguments: [SIGINT, SIGTERM]
    )
    func openPipe(signal number: Int32) async throws {
        try await withServer { cosm, server in
            let id = try await feed(cosm)
            let process = Tool.process(["cosm", "push", id, "temp"], environment: server.cosmEnvironment)
            let push = try RunningTool(starting: process)
            try push.say("1\n2\n")
            // Stored while the pipe is open.
            try await eventually {
                try await cosm(["history", id, "temp", "--format", "csv"], nil).stdout.split(separator: "\n").count >= 2
            }
            push.signal(number)
            let outcome = try await push.outcome()
            #expect(outcome.status == 0 && outcome.stdout == "2 points stored\n", "\(outcome)")
        }
    }

    @Test("helium cosm lists triggers and keys, with masked keys unless asked otherwise")
    func account() async throws {
        try await withServer { cosm, server in
            #expect(try await cosm(["triggers"], nil).stdout.hasPrefix("ID  FEED  DATASTREAM"))
            #expect(try await cosm(["triggers", "--format", "json"], nil).stdout == "[]\n")
            for format in ["table", "json", "xml"] {
                let masked = try await cosm(["keys", "--format", format], nil)
                #expect(masked.status == 0 && masked.stdout.contains("[redacted]"), "\(masked)")
            }
            let shown = try await cosm(["keys", "--show-keys", "--format", "json"], nil)
            #expect(shown.stdout.contains(server.ready.cosm.key))
        }
    }

    @Test("helium cosm creates a feed from a document", arguments: ["json", "xml"])
    func file(format: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("feed.\(format)")
            let documents = [
                "json": #"{"title":"From a file","datastreams":[{"id":"temp","current_value":"1"}]}"#,
                "xml": """
                <eeml version="0.5.1"><environment><title>From a file</title>
                <data id="temp"><current_value>1</current_value></data></environment></eeml>
                """,
            ]
            try Data((documents[format] ?? "").utf8).write(to: file)
            try await withServer { cosm, _ in
                let created = try await cosm(["create", "--file", file.path, "--tag", "new"], nil)
                #expect(created.status == 0, "\(created)")
                let shown = try await cosm(["feed", created.stdout.trimmingCharacters(in: .newlines)], nil).stdout
                #expect(shown.contains("From a file") && shown.contains("new") && shown.contains("temp"))
            }
        }
    }

    @Test("helium cosm exits with 1 and a reason without the key if the key, server or feed is wrong")
    func failures() async throws {
        try await withServer { cosm, server in
            let wrong = try await cosm(["feeds", "--key", "not-the-key"], nil)
            #expect(wrong.status == 1 && wrong.stderr.contains("unauthorized") && !wrong.stderr.contains("not-the-key"))
            let refused = try await cosm(
                ["feeds", "--base-url", "http://127.0.0.1:1/v2", "--key", "k", "--timeout", "60s"],
                nil
            )
            #expect(refused.status == 1 && !refused.stderr.isEmpty)
            try await withTemporaryFolder { folder in
                let file = folder.appendingPathComponent("key")
                try Data("\(server.ready.cosm.key)\n".utf8).write(to: file)
                let outcome = try await Tool.run(
                    ["cosm", "feeds", "--key-file", file.path, "--base-url", server.ready.cosm.base]
                )
                #expect(outcome.status == 0, "\(outcome)")
            }
        }
    }

    @Test(
        "helium cosm exits with 64 and the reason for a wrong command line",
        arguments: [
            ["nonsense"], ["feed"], ["feed", "x"], ["feed", "0"], ["feed", "1", "--format", "yaml"], ["create"],
            ["create", "--title", ""], ["create", "--file", "/etc/hostname"],
            ["update", "1"], ["update", "1", "--domain"], ["delete"], ["push", "1"], ["history", "1"], ["watch"],
            ["watch", "x"],
            ["watch", "1", "--socket-url", "ftp://h"],
            ["history", "1", "t", "--interval", "7"], ["history", "1", "t", "--limit", "0"],
            ["history", "1", "t", "--limit", "1001"], ["history", "1", "t", "--start", "soon"],
            ["history", "1", "t", "--duration", "0days"], ["history", "1", "t", "--all"],
            ["create", "--title", "Shed", "--datastream", "temp="], ["update", "1", "--datastream", "temp="],
            ["history", "1", "t", "--start", "2013-01-02", "--end", "2013-01-01T00:00:00Z", "--duration", "1day"],
            ["history", "1", "t", "--start", "2013-01-02T00:00:00Z", "--end", "2013-01-01T00:00:00Z"],
            ["history", "1", "t", "--duration", "2days", "--interval", "0"],
            ["feeds", "--lat", "1"], ["feeds", "--distance", "1"], ["feeds", "--per-page", "1001"],
            ["feeds", "--base-url", "nowhere"], ["feeds", "--base-url", ""], ["feeds", "--key", ""],
            ["feeds", "--key-file", ""],
            ["keys", "--format", "csv"], ["triggers", "--format", "csv"],
        ]
    )
    func usage(arguments: [String]) async throws {
        // Nothing of this is answered by a server.
        let environment = ["COSM_BASE_URL": "http://127.0.0.1:1/v2", "COSM_API_KEY": "key-of-ann"]
        let outcome = try await Tool.run(["cosm"] + arguments, environment: environment)
        #expect(outcome.status == 64, "\(outcome)")
        #expect(!outcome.stderr.isEmpty && outcome.stdout.isEmpty && !outcome.stderr.contains("key-of-ann"))
    }

    @Test("helium cosm sends nothing without a key", arguments: [[:], ["COSM_API_KEY": ""]])
    func noKey(environment: [String: String]) async throws {
        let outcome = try await Tool.run(["cosm", "feeds"], environment: environment)
        #expect(outcome.status == 64 && outcome.stderr.contains("COSM_API_KEY"))
    }

    private func feed(_ cosm: ([String], String?) async throws -> Tool.Outcome) async throws -> String {
        let created = try await cosm(["create", "--title", "Shed", "--datastream", "temp"], nil)
        return created.stdout.trimmingCharacters(in: .newlines)
    }

    private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
