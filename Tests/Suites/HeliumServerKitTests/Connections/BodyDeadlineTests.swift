import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("Deadlines of request bodies", .timeLimit(.minutes(5)))
struct BodyDeadlineTests {
    private struct Upload {
        let channel = EmbeddedChannel()
        let deadline: BodyDeadline

        init() throws {
            channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
            deadline = BodyDeadline(channel: channel, limit: .seconds(30))
            deadline.start()
        }

        func pass(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }
    }

    @Test("a body that arrives steadily at the minimum rate may take any time")
    func steady() throws {
        let upload = try Upload()
        for _ in 0..<100 {
            upload.pass(seconds: 20)
            #expect(upload.channel.isActive)
            upload.deadline.extend(by: .seconds(20))
        }
        upload.deadline.stop()
        upload.pass(seconds: 100)
        #expect(upload.channel.isActive)
    }

    @Test("a body that is slower than the minimum rate is cut off, although bytes arrive")
    func slow() throws {
        let upload = try Upload()
        for _ in 0..<5 {
            upload.pass(seconds: 5)
            upload.deadline.extend(by: .seconds(1))
        }
        #expect(upload.channel.isActive)
        upload.pass(seconds: 10)
        #expect(!upload.channel.isActive)
    }

    @Test("a pause has the same limit however many bytes arrived before")
    func pause() throws {
        let upload = try Upload()
        upload.deadline.extend(by: .seconds(100_000))
        upload.pass(seconds: 29)
        #expect(upload.channel.isActive)
        upload.pass(seconds: 2)
        #expect(!upload.channel.isActive)
    }

    /// A body whose chunks add to the remaining time.
    private struct CountingBody: IncomingBody {
        let chunks: BufferedBody.Chunks
        let total: Total

        final class Total {
            var time: Duration = .zero
        }

        func limited<Value>(
            to limit: Duration,
            _ read: (_ extend: (Duration) -> Void) async throws -> Value
        ) async throws -> Value {
            try await read { total.time += $0 }
        }
    }

    @Test("each byte of a body adds the time in which it has to arrive")
    func rate() async throws {
        var limits = ServerLimits()
        limits.bodyBytesPerSecond = 100
        let reader = BodyReader(limits, maximumBytes: 1_000, declaredBytes: nil)
        let total = CountingBody.Total()
        var share = BodyBudget(maximum: 10_000).share(isProved: true)
        let body = CountingBody(chunks: BufferedBody([UInt8](repeating: 1, count: 250)).chunks, total: total)
        _ = try await reader.read(body, from: &share)
        #expect(total.time == .milliseconds(2_500))
        let drained = CountingBody(chunks: BufferedBody([UInt8](repeating: 1, count: 50)).chunks, total: total)
        #expect(try await reader.drain(drained))
        #expect(total.time == .seconds(3))
        limits.bodyBytesPerSecond = 0
        #expect(throws: EmbeddedServerError.self) { try limits.validate() }
    }
}
