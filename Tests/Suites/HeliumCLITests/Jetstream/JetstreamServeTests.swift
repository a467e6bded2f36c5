import Foundation
import TestSupport
import Testing

@Suite("helium jetstream serve", .timeLimit(.minutes(5)))
struct JetstreamServeTests {
    private static let file = #"""
        {"classes":{"Card":{"properties":{"name":"string"}}},"scopes":{"Board":{"root":"Card","initial":{"name":"first"}}}}
        """#

    @Test(
        "helium jetstream serve prints its address and its scopes, and stops on a signal",
        arguments: ["none", "original"]
    )
    func serves(_ compatibility: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("board.json")
            try Data(Self.file.utf8).write(to: file)
            let store = folder.appendingPathComponent("store.sqlite").path
            let arguments = ["--scope", file.path, "--store", store, "--compat", compatibility]
            let process = Tool.process(["jetstream", "serve", "--port", "0"] + arguments)
            let server = try RunningTool(starting: process, errors: .nullDevice)
            #expect(
                try await server.line().wholeMatch(
                    of: /\{"jetstream":\{"scopes":\["Board"\],"webSocket":"ws:\/\/127\.0\.0\.1:[0-9]+"\}\}/
                )
                    != nil
            )
            #expect(try await server.end(SIGTERM) == 0)
            #expect(FileManager.default.fileExists(atPath: store))
        }
    }

    @Test("helium jetstream serve exits with 1 and the position of a fault in its file")
    func faults() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("board.json")
            try Data(#"{"classes":{"Card":{"properties":{"name":"text"}}},"scopes":{"Board":{"root":"Card"}}}"#.utf8)
                .write(to: file)
            let outcome = try await Tool.run(["jetstream", "serve", "--scope", file.path, "--port", "0"])
            #expect(outcome.status == 1)
            #expect(outcome.stderr == "helium: \(file.path): classes.Card.properties.name: there is no type \"text\"\n")
            let missing = try await Tool.run(["jetstream", "serve", "--scope", "/nowhere/board.json"])
            #expect(missing.status == 1)
            #expect(missing.stderr.contains("/nowhere/board.json"))
        }
    }

    @Test("helium serve hosts a canvas on its port, or the scopes of a file")
    func embedded() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("board.json")
            try Data(Self.file.utf8).write(to: file)
            for (arguments, scope) in [([], "Canvas"), (["--jetstream-scope", file.path], "Board")] {
                let ready = try await RunningServe.with(arguments) { $0.ready }.value
                #expect(ready.jetstream.scopes == [scope])
                #expect(ready.jetstream.webSocket == ready.http.replacing("http", with: "ws") + "/jetstream")
            }
        }
    }
}
