import Foundation
import HeliumServer
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HeliumServerKit

@Suite("Listener without file descriptors", .timeLimit(.minutes(5)))
struct AcceptPauseTests {
    @Test(
        "a listener without file descriptors pauses, and then accepts again",
        arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    )
    func pause(code: CInt) async throws {
        try await withListener(pausing: .milliseconds(50)) { listener async throws in
            // In one step of the event loop: the pause is short.
            let isReading = try await listener.eventLoop.submit {
                listener.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
                return try listener.syncOptions?.getOption(.autoRead)
            }.get()
            #expect(isReading == false)
            try await eventually { (try? await listener.getOption(.autoRead).get()) == true }
            let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(to: try #require(listener.localAddress)).get()
            try await client.close()
        }
    }

    @Test("a listener keeps accepting after other errors")
    func otherErrors() async throws {
        try await withListener(pausing: .hours(1)) { listener async throws in
            listener.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
            #expect(try await listener.getOption(.autoRead).get())
        }
    }

    private func withListener(pausing: TimeAmount, _ body: (any Channel) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(pause: pausing))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(listener)
        } catch {
            try await listener.close()
            throw error
        }
        try await listener.close()
    }
}
