import HeliumServer
import HeliumServerTesting
import ServerSupport
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("Markers of channels", .timeLimit(.minutes(5)))
struct ChannelMarkerTests {
    @Test("a marker is set only for a channel that the caller reads")
    func known() async throws {
        try await withAppNet { alice in
            let channel = try await alice.createChannel()
            func mark(_ peer: AppNetPeer, _ name: String) async throws -> Int {
                try await peer.send("POST", "posts/marker", #"{"id":"1","name":"\#(name)"}"#).status
            }
            #expect(try await mark(alice, "channel:\(channel)") == 200)
            #expect(try await mark(alice, "my_stream") == 200)
            #expect(try await mark(alice, "channel:99999") == 404)
            #expect(try await mark(alice, "channel:x") == 404)
            #expect(try await mark(alice.user(1), "channel:\(channel)") == 404)
        }
    }
}
