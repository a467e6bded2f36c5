import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Load on a real server", .timeLimit(.minutes(5)))
struct LoadConcurrencyTests {
    @Test("1,000 concurrent first requests register exactly one device")
    func oneDevice() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium({ $0.options.timeouts.queue = .seconds(60) }) { helium in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<1000 { group.addTask { try await helium.get("/todo").value() } }
                    try await group.waitForAll()
                }
                #expect(server.middleware.registrations == 1)
                #expect(try await server.middleware.deviceCount() == 1)
            }
        }
    }

    @Test("10,000 requests with a concurrency of 64 get 10,000 responses")
    func tenThousand() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                    for worker in 0..<64 {
                        let count = 10_000 / 64 + (worker < 10_000 % 64 ? 1 : 0)
                        group.addTask {
                            var good = 0
                            for _ in 0..<count where try await helium.get("/todo").response().status == 200 {
                                good += 1
                            }
                            return good
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(answers == 10_000)
                #expect(server.requests.count == 10_001)
            }
        }
    }
}
