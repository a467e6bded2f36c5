import Foundation
import HeliumServerTesting
import TestSupport
import Testing

@testable import HeliumCLI

@Suite("The folders of the user", .timeLimit(.minutes(5)))
struct UserFolderTests {
    @Test(
        "the folders of the user follow $HOME and the XDG variables",
        arguments: [
            (["XDG_STATE_HOME": "/x/state", "HOME": "/h"], "/x/state/helium"),
            (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/helium"),
            (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/helium"),
            (["HOME": "/h"], "/h/.local/state/helium"),
        ] as [([String: String], String)]
    )
    func path(environment: [String: String], path: String) throws {
        var folder = UserFolder.state
        folder.environment = environment
        #expect(try folder.path() == path)
    }

    @Test("the home folder without HOME is that of the user database", arguments: [[:], ["HOME": ""]])
    func userDatabase(environment: [String: String]) throws {
        var folder = UserFolder.configuration
        folder.environment = environment
        #expect(try folder.path().hasPrefix("/") && folder.path().hasSuffix("/.config/helium"))
    }

    @Test("an unusable folder of the user is reported with the reason and the variable")
    func errors() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("file").path
            try Data().write(to: URL(fileURLWithPath: file))
            let cases: [([String: String], String)] = [
                (
                    ["HOME": file],
                    "the folder \(file)/.local/state/helium can't be created: Not a directory; set XDG_STATE_HOME"
                ),
                (["HOME": "x"], "HOME is \"x\", which is not an absolute path: set HOME or XDG_STATE_HOME"),
                (
                    ["XDG_STATE_HOME": file],
                    "the folder \(file)/helium can't be created: Not a directory; set XDG_STATE_HOME to another folder"
                ),
            ]
            for (environment, message) in cases {
                let outcome = try await Tool.run(
                    [
                        "device", "show", "--devices-url", "http://127.0.0.1:9/devices", "--secret-id",
                        String(repeating: "0f", count: 16),
                    ],
                    environment: environment.merging(["HELIUM_SECRET": "secret"]) { $1 }
                )
                #expect(outcome.status == 1 && outcome.stderr == "helium: \(message)\n", "\(outcome)")
            }
        }
    }

    @Test("the device's token is stored below $HOME")
    func device() async throws {
        try await withTemporaryFolder { folder in
            try await RunningServe.with { server in
                let outcome = try await Tool.run(
                    [
                        "device", "register", "--secret-id", server.ready.middleware.secretID,
                        "--devices-url", server.ready.middleware.devices,
                    ],
                    environment: server.environment.merging(["HOME": folder.path]) { $1 }
                )
                #expect(outcome.status == 0, "\(outcome)")
                let file = folder.appendingPathComponent(".local/state/helium/tokens.json").path
                #expect(FileManager.default.fileExists(atPath: file))
            }
        }
    }
}
