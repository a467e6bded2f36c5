import Foundation
import Logging

@testable import HeliumServerKit

/// The embedded server (Hummingbird) as a peer of `make http`: it repeats requests, and is stopped gracefully and
/// started again.
///
///     EchoServer CLEAR-PORT TLS-PORT CERTIFICATE KEY MILLISECONDS
///
/// Each server is stopped that long after it began to listen; 0 never.
@main
enum EchoServer {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 6, let clear = Int(arguments[1]), let secure = Int(arguments[2]),
            let life = Int(arguments[5])
        else {
            print("usage: EchoServer CLEAR-PORT TLS-PORT CERTIFICATE KEY MILLISECONDS")
            exit(2)
        }
        var configuration = EmbeddedServerConfiguration()
        configuration.limits.sharePerAddress = 1
        configuration.limits.headerFieldBytes = 64 << 10
        configuration.limits.shutdown = .seconds(1)
        // The longest bodies of the requests have 20 MiB.
        configuration.limits.bodyBytes = 32 << 20
        configuration.limits.collectedBytes = 256 << 20
        let files = TLSFiles(certificatePath: arguments[3], keyPath: arguments[4])
        try await withThrowingTaskGroup { [configuration] group in
            for (port, tls) in [(clear, nil), (secure, files)] {
                var own = configuration
                own.port = port
                own.tls = tls
                let configured = own
                group.addTask { try await serve(configured, for: life) }
            }
            try await group.waitForAll()
        }
    }

    private static func serve(_ configuration: EmbeddedServerConfiguration, for milliseconds: Int) async throws {
        let logger = Logger(label: "echo") { _ in SwiftLogNoOpLogHandler() }
        while true {
            let server = try EmbeddedServer(configuration, protocols: [EchoService.self], logger: logger)
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run() }
                _ = try await server.ready()
                guard milliseconds > 0 else { return try await group.waitForAll() }
                try await Task.sleep(for: .milliseconds(milliseconds))
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }
}
