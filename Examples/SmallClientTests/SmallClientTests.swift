#if os(Linux)
    import Foundation
    import HeliumServer
    import HeliumServerTesting
    import Testing

    @Suite("A program on HeliumKit alone", .timeLimit(.minutes(2)))
    struct SmallClientTests {
        private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "SmallClient")

        private func output(_ executable: String, _ arguments: [String]) throws -> String {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: executable)
            process.arguments = arguments
            process.standardOutput = pipe
            try process.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            return String(decoding: data, as: UTF8.self)
        }

        @Test("a program on HeliumKit alone links neither all of Foundation nor ICU, SwiftNIO or SQLite")
        func libraries() throws {
            let libraries = try output("/usr/bin/ldd", [Self.program.path])
            #expect(libraries.contains("libcurl") && libraries.contains("libFoundationEssentials"))
            for unwanted in ["libFoundation.so", "libFoundationInternationalization", "ICU", "libsqlite3", "libxml2"] {
                #expect(!libraries.contains(unwanted), "\(libraries)")
            }
            let symbols = try output("/usr/bin/nm", ["--defined-only", Self.program.path])
            #expect(symbols.contains("9HeliumKit") && !symbols.contains("7NIOCore"))
        }

        @Test("a program on HeliumKit alone makes a call")
        func calls() async throws {
            try await withEmbeddedServer { running in
                let text = try output(Self.program.path, [running.ready.http.absoluteString, "/nothing"])
                #expect(text.hasPrefix("status 404"))
            }
        }
    }
#endif
