import Foundation
import HTTPTypes
import HeliumCore

@testable import HeliumCurl

/// A connection whose peer does what the test says.
final class ScriptedLine: ChannelLine {
    var facts = ChannelFacts()
    /// Whether the connection has no TLS.
    var isSocket = true
    let channel: ByteChannel
    var hasEarlyBytes = false
    var earlyEnd: TransportFailure? {
        guard input.isEmpty else { return nil }
        let end = TransportFailure(.connectionLost, delivery: .notSent, message: "ended")
        return readFailure ?? (hasEnded ? end : nil)
    }
    /// The maximum number of bytes of a read, like those of a record of TLS.
    var recordBytes = Int.max
    private(set) var readCount = 0
    /// The bytes of the peer.
    var input: [UInt8] = []
    var hasEnded = false
    /// The failure of reading after all bytes.
    var readFailure: TransportFailure?
    /// The number of bytes that the system accepts.
    var room = Int.max
    /// The error of the next write.
    var writeError: CInt?
    private(set) var written: [UInt8] = []
    private(set) var isClosed = false

    init(_ channel: ByteChannel) { self.channel = channel }

    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        if input.isEmpty, let readFailure { return .failed(readFailure) }
        if input.isEmpty { return hasEnded ? .end(isOrderly: true) : .nothing }
        let count = min(input.count, memory.count, recordBytes)
        readCount += 1
        memory.copyBytes(from: input[..<count])
        input.removeFirst(count)
        return .bytes(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        if let writeError {
            let failure = TransportFailure(
                .connectionLost,
                delivery: .notSent,
                message: "lost",
                code: Int(writeError)
            )
            return .failed(failure)
        }
        let count = min(bytes.count, room)
        guard count > 0 else { return .nothing }
        written += Array(bytes.prefix(count))
        room -= count
        return .bytes(count)
    }

    func takeError() -> TransportFailure? { nil }
    func endWriting() -> Bool { true }
    func close() { isClosed = true }
}

extension TransferLoop {
    /// Prepares a call to a host that only the test's driver connects to.
    func call(
        _ method: HTTPRequest.Method,
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) throws -> TransferSlot {
        let slot = try acquire()
        var request = try TransportRequest(method: method, url: RequestURL("http://127.0.0.1:9/"))
        change(&request)
        try slot.prepare(request)
        return slot
    }
}

/// A driver of ``ScriptedLine``s that takes a step of the test in each wait.
///
/// `@unchecked Sendable`: it is used on the thread of the test.
final class ScriptedDriver: FakeDriver, LoopConnector, @unchecked Sendable {
    private(set) var lines: [ScriptedLine] = []
    var steps: [() -> Void] = []
    /// The time in nanoseconds.
    var now = LoopTurn.read()
    private var connected: [ScriptedLine] = []
    private var ready: [ScriptedLine] = []
    private var writable: [ScriptedLine] = []

    func answer(_ index: Int, _ response: String = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") {
        guard lines.indices.contains(index) else { return }
        lines[index].input += Array(response.utf8)
        ready.append(lines[index])
    }

    /// Lets the peer answer and end, and the next write fail.
    func end(_ index: Int, after response: String, writeError: CInt) {
        guard lines.indices.contains(index) else { return }
        lines[index].writeError = writeError
        lines[index].input += Array(response.utf8)
        lines[index].hasEnded = true
        writable.append(lines[index])
    }

    /// Lets the system accept bytes again.
    func makeRoom(_ room: Int, _ index: Int) {
        guard lines.indices.contains(index) else { return }
        lines[index].room = room
        writable.append(lines[index])
    }

    func open(_ index: Int) {
        if lines.indices.contains(index) { connected.append(lines[index]) }
    }

    func perform(now: UInt64) {
        for line in ready { line.channel.isReady(toRead: true, toWrite: false, isEnding: false) }
        for line in writable { line.channel.isReady(toRead: false, toWrite: true, isEnding: false) }
        (ready, writable) = ([], [])
    }

    func wait(until deadline: UInt64) -> Bool {
        if !steps.isEmpty { steps.removeFirst()() }
        return !ready.isEmpty || !writable.isEmpty
    }

    func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? { self }

    func connect(_ channel: ByteChannel) -> (any ChannelLine)? {
        lines.append(ScriptedLine(channel))
        return lines.last
    }

    func collect() {
        for line in connected { line.channel.connected() }
        connected = []
    }

    func dispose() {}
}
