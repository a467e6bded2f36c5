import NIOCore
import ServerSupport
import Testing

@testable import HeliumServerKit

@Suite("The last stream of a client's frames")
struct HTTP2FrameScannerTests {
    private static let bytes = HTTP2Frames.requests("GET", ["/", "/a", "/b"], scheme: "http", authority: "x")

    @Test("frames that are cut at every byte have the same last stream")
    func cuts() {
        for cut in 0...Self.bytes.count {
            var scanner = HTTP2FrameScanner()
            scanner.read(ByteBuffer(bytes: Self.bytes[..<cut]).readableBytesView)
            scanner.read(ByteBuffer(bytes: Self.bytes[cut...]).readableBytesView)
            #expect(scanner.lastStream == 5)
        }
    }

    @Test("a stream counts when its fields have arrived as a whole")
    func incomplete() {
        let first = HTTP2Frames.requests("GET", ["/"], scheme: "http", authority: "x")
        for count in 0...first.count {
            var scanner = HTTP2FrameScanner()
            for byte in first[..<count] { scanner.read(ByteBuffer(bytes: [byte]).readableBytesView) }
            #expect(scanner.lastStream == (count == first.count ? 1 : 0))
        }
    }

    @Test(
        "frames of other types open no stream, and fields end with the last continuation",
        arguments: [
            ([(0, 1, 7)], 0), ([(8, 4, 7)], 0), ([(1, 1, 7)], 0), ([(1, 0, 7), (9, 0, 7)], 0),
            ([(1, 0, 7), (9, 4, 7)], 7), ([(1, 4, 9), (1, 5, 7)], 9),
        ] as [([(UInt8, UInt8, UInt32)], UInt32)]
    )
    func types(frames: [(type: UInt8, flags: UInt8, stream: UInt32)], lastStream: UInt32) {
        var scanner = HTTP2FrameScanner()
        var buffer = ByteBuffer(repeating: 0x20, count: 24)
        for frame in frames {
            buffer.writeBytes([0, 0, 2, frame.type, frame.flags])
            buffer.writeInteger(frame.stream)
            buffer.writeBytes([1, 4])
        }
        scanner.read(buffer.readableBytesView)
        #expect(scanner.lastStream == lastStream)
    }
}
