import Foundation
import HeliumCore
import HeliumWebSocket
import TestSupport
import Testing
import WireSupport

/// The WebSocket's row of the table of delivery states: every way in which a send can end, compared with what the peer saw.
@Suite("Delivery states of WebSocket sends", .timeLimit(.minutes(5)))
struct SendDeliveryTests {
    enum Ending: String, CaseIterable, Sendable {
        /// The peer closes in order, closes with an error code, or cuts the connection; or our side ends it.
        case orderly, failing, cut, ours
    }

    @Test("a WebSocket message in flight may have been sent, and a queued one was not", arguments: Ending.allCases)
    func table(ending: Ending) async throws {
        let (seen, see) = AsyncStream<Void>.makeStream()
        let (going, go) = AsyncStream<Void>.makeStream()
        // More than all buffers on the way hold, so that it is never written whole.
        let size = SocketBuffers.overflowingSize
        let large = WebSocketMessage.text(String(decoding: [UInt8](repeating: 0x78, count: size), as: UTF8.self))
        try await withSocket { peer in
            _ = try await peer.read(1000)
            see.finish()
            for await _ in going {}
            switch ending {
            case .orderly: try await peer.sendClose(1000)
            case .failing: try await peer.sendClose(1011)
            case .cut, .ours: break
            }
        } _: { socket, _ async throws in
            let first = Task { try await failure { try await socket.send(large) } }
            for await _ in seen {}
            let second = Task { try await failure { try await socket.send(large) } }
            if ending == .ours {
                let closing = Task { await socket.close() }
                closing.cancel()
                _ = await closing.value
            }
            go.finish()
            let delivery = try await first.value.delivery
            #expect(delivery == .maybeSent, "the peer has seen a part of it")
            #expect(try await second.value.delivery == .notSent)
            // Nothing of what is sent after the end leaves.
            #expect(try await failure { try await socket.send(.text("late")) }.delivery == .notSent)
        }
    }
}
