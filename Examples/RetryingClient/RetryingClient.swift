// A client that survives a busy server, and says what happened.
//
//     swift run RetryingClient                           against a server of this program that fails twice
//     swift run RetryingClient https://api.example.com /status
import Foundation
import HeliumKit
import HeliumTesting

@main
struct RetryingClient {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let text = arguments.first {
            guard let url = URL(string: text) else { fatalError("\(text) is not a URL") }
            try await fetch(arguments.dropFirst().first ?? "/", from: url)
        } else {
            // Two responses with status 503 and `Retry-After`, then the content.
            try await FaultServer.run(faults: [.unavailable(), .unavailable(), .healthy]) { server in
                guard let url = URL(string: server.url) else { fatalError("\(server.url) is not a URL") }
                try await fetch("/status", from: url)
            }
        }
    }

    /// GET is idempotent, so it is repeated by default. A POST is repeated only with an idempotency key.
    static func fetch(_ path: String, from url: URL) async throws {
        try await withHelium(baseURL: url) { helium in
            do {
                let response = try await helium.get(path, returning: String.self)
                    .retry(.attempts(5))
                    .timeout(.seconds(30))
                    .response()
                print("status \(response.status) after \(response.attempts.count) attempts: \(response.value)")
            } catch let error as HeliumError {
                print("failed: \(error)")
                // Whether the server may have acted on the request decides whether to send it again later.
                print("delivery: \(error.delivery), attempts: \(error.attempts.count)")
            }
        }
    }
}
