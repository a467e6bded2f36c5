import HeliumBytes
import HeliumServer
import NIOCore
import NIOEmbedded
import Testing

@testable import HeliumServerKit

@Suite("Output of a live client")
struct LiveConnectionTests {
    private static let maximum = 1_000_000

    /// A connection over a channel without a network.
    private struct Setup {
        let channel = EmbeddedChannel()
        let live: LiveConnection

        init() throws {
            let channels = LiveChannels(maximum: 1, maximumWaiting: 1, patience: .seconds(10), sharePerAddress: 1)
            live = LiveConnection(channel: channel, channels: channels, maximumWaiting: LiveConnectionTests.maximum)
            try channel.pipeline.syncOperations.addHandler(
                LiveHandler(
                    connection: live,
                    codec: WebSocketLiveCodec(maximumObjectBytes: 1_000_000),
                    objectLimit: .seconds(10)
                )
            )
        }

        /// The bytes that the channel was given.
        func written() throws -> Int {
            var count = 0
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { count += bytes.readableBytes }
            return count
        }
    }

    @Test(
        "output that a live client does not read is kept once, and not handed to the channel",
        arguments: [10, 1_000, 100_000]
    )
    func unread(size: Int) throws {
        let setup = try Setup()
        setup.channel.isWritable = false
        let object = [UInt8](repeating: 0x61, count: size)
        var pushed = 0
        while setup.live.fill > 0 || pushed == 0, pushed <= Self.maximum / size {
            setup.live.push(object)
            setup.channel.embeddedEventLoop.run()
            pushed += 1
            if !setup.channel.isActive, pushed > 1 { break }
        }
        #expect(try setup.written() == 0)
        // What each costs beside its bytes is counted too.
        #expect(pushed <= Self.maximum / (size + 64) + 1)
    }

    @Test("an object in parts has the frame of its bytes", arguments: [0, 125, 126, 65_535, 65_536])
    func parts(size: Int) throws {
        let object = LiveObject(parts: [Array("{".utf8), [UInt8](repeating: 0x61, count: size), Array("}".utf8)])
        #expect(object.count == size + 2 && object.bytes.count == size + 2)
        var codec = WebSocketLiveCodec(maximumObjectBytes: 1)
        var whole = ByteQueue()
        var parted = ByteQueue()
        codec.write(LiveObject(object.bytes), to: &whole)
        codec.write(object, to: &parted)
        #expect(whole.bytes == parted.bytes)
    }

    @Test("output for a live client is written in order and together when the channel is writable")
    func order() throws {
        let setup = try Setup()
        setup.channel.isWritable = false
        for number in 0..<10 { setup.live.push(Array("\(number)".utf8)) }
        setup.live.closeGracefully()
        setup.live.push([0x78])
        setup.channel.isWritable = true
        setup.channel.pipeline.fireChannelWritabilityChanged()
        setup.channel.embeddedEventLoop.run()
        var frames = ByteBuffer()
        var writes = 0
        while var bytes = try setup.channel.readOutbound(as: ByteBuffer.self) {
            frames.writeBuffer(&bytes)
            writes += 1
        }
        let texts: [UInt8] = (0..<10).flatMap { [0x81, 1, 0x30 + UInt8($0)] }
        #expect(Array(frames.readableBytesView) == texts + [0x88, 2, 0x03, 0xE9])
        #expect(writes == 1)
    }

    @Test("output of a live client no longer counts when it is sent")
    func sent() throws {
        let setup = try Setup()
        setup.live.push([0x61])
        setup.channel.embeddedEventLoop.run()
        #expect(try setup.written() == 3)
        #expect(setup.live.fill == 0)
    }

    @Test(
        "the reason of a close follows the queued output, is cut at a character, and is the last output",
        arguments: ["no", "é"]
    )
    func reason(_ text: String) throws {
        let setup = try Setup()
        let long = String(repeating: text, count: 100)
        setup.live.push([0x61])
        setup.live.close(code: 4096, reason: long)
        setup.live.push([0x62])
        setup.channel.embeddedEventLoop.run()
        var frames = ByteBuffer()
        while var bytes = try setup.channel.readOutbound(as: ByteBuffer.self) { frames.writeBuffer(&bytes) }
        let cut = Array(String(repeating: text, count: 123 / text.utf8.count).utf8)
        let close =
            [0x88, UInt8(cut.count + 2 + (text == "no" ? 1 : 0)), 0x10, 0x00] + cut + (text == "no" ? [0x6E] : [])
        #expect(Array(frames.readableBytesView) == [0x81, 1, 0x61] + close)
        #expect(!setup.live.isOpen)
    }
}

@Suite("Binary messages of live clients")
struct BinaryMessageTests {
    /// A binary message `{}` with a mask of zeros.
    private static let message: [UInt8] = [0x82, 0x82, 0, 0, 0, 0, 0x7B, 0x7D]

    /// The event that a codec finds in the message.
    private static func next(of codec: inout WebSocketLiveCodec) throws(LiveFault) -> LiveArrival? {
        var consumed = 0
        return try codec.next(message.span.bytes, consumed: &consumed)
    }

    @Test("a binary message of a live client is refused with 1003")
    func refused() {
        var codec = WebSocketLiveCodec(maximumObjectBytes: 100)
        do throws(LiveFault) {
            _ = try Self.next(of: &codec)
            Issue.record("was taken")
        } catch {
            #expect(error.code == 1003)
        }
    }

    @Test("a binary message of a live client is an object if the protocol accepts it")
    func accepted() throws {
        var codec = WebSocketLiveCodec(maximumObjectBytes: 100, acceptsBinary: true)
        guard case .object(let object)? = try Self.next(of: &codec) else {
            Issue.record("no object")
            return
        }
        #expect(object == [0x7B, 0x7D])
    }
}
