import TestSupport
import Testing

@testable import AppNet

@Suite("User streams that are cut", .timeLimit(.minutes(5)))
struct UserStreamConcurrencyTests {
    @Test(
        "a user stream has each message once over many cuts",
        .tags(.random),
        arguments: [("ws", true), ("ws", false), ("http", true), ("http", false)]
    )
    func manyCuts(scheme: String, resumes: Bool) async throws {
        let cuts = ProofLength.count(30, full: 300)
        let count = 15 * cuts
        let told = try await TestStreamServer.run(scheme: scheme) { server, client in
            server.manners.resumes = resumes
            server.write()
            let stream = client.userStream(.brisk)
            let messages = try await stream.subscribe(to: .messages(in: "12"))
            let writing = Task {
                var random = ProofLength.random(seed: resumes ? 1 : 2)
                let moments = Set((0..<cuts).map { 2 + $0 * (count - 2) / cuts })
                for number in 2...count {
                    server.write()
                    if moments.contains(number) {
                        // Some cuts in the middle of a connection's beginning, some when all is well again.
                        let isWell = random.oneIn(2)
                        repeat {
                            await server.wait { (isWell ? server.subscriptionCount : server.connectedCount) > 0 }
                        } while server.cut() == 0
                    }
                    for _ in 0..<random.below(8) { await Task.yield() }
                }
            }
            var told: [Message.ID] = []
            for try await update in messages {
                if case .added(let message) = update.change, let id = message.id { told.append(id) }
                if told.last == Message.ID(count) { break }
            }
            await writing.value
            await stream.close()
            return told
        }
        #expect(told.count == Set(told).count, "some were told twice")
        #expect(told == (2...count).map { Message.ID($0) }, "some are missing, or out of order")
    }
}
