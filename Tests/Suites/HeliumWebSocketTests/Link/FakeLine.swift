import HeliumCore
import Synchronization

@testable import HeliumCurl

/// A connection whose peer is the test. It is used on one thread, as the loop's thread would.
final class FakeLine: ChannelLine {
    let facts = ChannelFacts()
    let isSocket = true
    let hasEarlyBytes = false
    let earlyEnd: TransportFailure? = nil
    /// The number of bytes that the system accepts.
    var room = Int.max
    /// Whether writes fail.
    var isLost = false
    /// The bytes that the system has accepted.
    private(set) var written: [UInt8] = []
    private(set) var writeCount = 0
    private(set) var isClosed = false
    /// The bytes that have arrived and were not read.
    private var arrived: [UInt8] = []
    private var hasPeerEnded = false
    /// Called after each write.
    var onWrite: () -> Void = {}

    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        let count = min(arrived.count, memory.count)
        guard count > 0 else { return hasPeerEnded ? .end(isOrderly: true) : .nothing }
        memory.copyBytes(from: arrived.prefix(count))
        arrived.removeFirst(count)
        return .bytes(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        if isLost { return .failed(TransportFailure(.connectionLost, delivery: .notSent, message: "lost")) }
        let count = min(bytes.count, room)
        guard count > 0 else { return .nothing }
        written += bytes.prefix(count)
        room -= count
        writeCount += 1
        onWrite()
        return .bytes(count)
    }

    func takeError() -> TransportFailure? { nil }
    func endWriting() -> Bool { true }
    func close() { isClosed = true }

    fileprivate func receive(_ bytes: [UInt8]) { arrived += bytes }
    fileprivate func end() { hasPeerEnded = true }

    /// The opcodes of the frames that were written (RFC 6455 §5.2), as far as they are complete.
    var opcodes: [UInt8] {
        var opcodes: [UInt8] = []
        var rest = written[...]
        while rest.count >= 2 {
            let bytes = Array(rest.prefix(10))
            var length = Int(bytes[1] & 0x7F)
            var head = 2
            if length == 126, bytes.count >= 4 {
                (length, head) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
            } else if length == 127, bytes.count == 10 {
                (length, head) = (bytes[2..<10].reduce(0) { $0 << 8 | Int($1) }, 10)
            }
            // The frames of a client are masked with four bytes.
            guard rest.count >= head + 4 + length else { break }
            opcodes.append(bytes[0] & 15)
            rest = rest.dropFirst(head + 4 + length)
        }
        return opcodes
    }
}

/// A channel on a ``FakeLine``, and the loop that it lives on.
final class FakeChannel {
    private final class Loop: ChannelLoop {
        let signalled = Guarded<[ByteChannel]>([])

        func enqueue(_ channel: ByteChannel) { signalled.withLock { $0.append(channel) } }
        func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }
    }

    private final class Connector: ChannelConnecting {
        let line: FakeLine

        init(_ line: FakeLine) { self.line = line }

        func connect(_ channel: ByteChannel) -> (any ChannelLine)? { line }
    }

    let line = FakeLine()
    private let loop = Loop()
    private let host: ChannelHost
    private let channel: ByteChannel

    /// Creates an open channel.
    init(_ handler: any ChannelHandler) {
        host = ChannelHost(connector: Connector(line))
        channel = ByteChannel(to: ChannelTarget(host: "fake.test", port: 80), handler: handler, loop: loop)
        host.add(channel)
        channel.connected()
    }

    /// Whether a signal of another thread waits for the loop.
    var isSignalled: Bool { loop.signalled.withLock { !$0.isEmpty } }

    /// Lets bytes of the peer arrive.
    func receive(_ bytes: [UInt8]) {
        line.receive(bytes)
        channel.isReady(toRead: true, toWrite: false, isEnding: false)
    }

    /// Lets the peer end its direction.
    func peerEnds() {
        line.end()
        channel.isReady(toRead: true, toWrite: false, isEnding: true)
    }

    /// Lets the connection be lost.
    func lose() { channel.fail(TransportFailure(.connectionLost, delivery: .notSent, message: "lost")) }

    /// Lets the system accept more bytes.
    func accept(_ count: Int) {
        line.room += count
        channel.isReady(toRead: false, toWrite: true, isEnding: false)
    }

    /// Passes the signals on and continues what is left, once, as a turn of the loop does.
    func turn() {
        let due = loop.signalled.withLock { signalled in
            defer { signalled = [] }
            return signalled
        }
        for channel in due { channel.takeSignals() }
        host.runTurns()
    }
}
