import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("Shares of live connections")
struct LiveShareTests {
    private let loop = EmbeddedEventLoop()

    /// A connection of a client, over a channel without a network.
    private func channel(_ client: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: client, port: 1)).wait()
        return channel
    }

    @Test("one client has a share of the authenticated connections, and gets it back")
    func authenticated() throws {
        let channels = LiveChannels(maximum: 4, maximumWaiting: 8, patience: .seconds(10), sharePerAddress: 0.75)
        let own = try (0..<4).map { _ in try channel("10.0.0.1") }
        for channel in own { #expect(channels.admit(channel)) }
        #expect(own.map { channels.authenticate($0) } == [true, true, true, false])
        let other = try channel("10.0.0.2")
        #expect(channels.admit(other) && channels.authenticate(other))
        own[0].close(promise: nil)
        loop.run()
        #expect(channels.authenticate(own[3]))
    }

    @Test("without shares, one client can have all authenticated connections, for servers behind a reverse proxy")
    func proxy() throws {
        let channels = LiveChannels(maximum: 4, maximumWaiting: 8, patience: .seconds(10), sharePerAddress: 1)
        let own = try (0..<5).map { _ in try channel("10.0.0.1") }
        for channel in own { #expect(channels.admit(channel)) }
        #expect(own.map { channels.authenticate($0) } == [true, true, true, true, false])
    }

    @Test("connections that are not authenticated are closed for new ones, first those of the client with the most")
    func waiting() throws {
        let channels = LiveChannels(maximum: 4, maximumWaiting: 4, patience: .seconds(10), sharePerAddress: 0.75)
        let slow = try channel("10.0.0.2")
        #expect(channels.admit(slow))
        let flood = try (0..<20).map { _ in try channel("10.0.0.1") }
        for channel in flood { #expect(channels.admit(channel)) }
        loop.run()
        #expect(slow.isActive)
        #expect(channels.authenticate(slow))
        #expect(flood.count { $0.isActive } == 3)
        #expect(flood.suffix(3).allSatisfy { $0.isActive })
    }
}
