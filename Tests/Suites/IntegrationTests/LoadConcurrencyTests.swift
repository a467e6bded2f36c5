import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

@Suite("Load on a real server", .timeLimit(.minutes(10)))
struct LoadConcurrencyTests {
    @Test("1,000 concurrent first requests register exactly one device")
    func oneDevice() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium({ $0.options.timeouts.queue = .seconds(300) }) { helium in
                try await withThrowingTaskGroup { group in
                    for _ in 0..<1000 { group.addTask { try await helium.get("/todo").value() } }
                    try await group.waitForAll()
                }
                #expect(server.middleware.registrations == 1)
                #expect(try await server.middleware.deviceCount() == 1)
            }
        }
    }

    @Test("many requests with a concurrency of 64 get as many responses", .tags(.random))
    func many() async throws {
        let total = ProofLength.count(1000, full: 10_000)
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                    for worker in 0..<64 {
                        let count = total / 64 + (worker < total % 64 ? 1 : 0)
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
                #expect(answers == total)
                #expect(server.requests.count == total + 1)
            }
        }
    }
}
