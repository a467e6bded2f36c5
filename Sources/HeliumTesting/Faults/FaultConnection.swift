import Foundation
import HeliumConcurrency

/// One connection of a ``FaultServer``, on a thread of its own.
struct FaultConnection {
    /// The reason for the end of a connection.
    private enum Ending: Error { case closed, byClient, stopped }

    private let server: FaultServer
    private let descriptor: Int32
    private let number: Int
    private var pending = Data()

    init(server: FaultServer, descriptor: Int32, number: Int) {
        self.server = server
        self.descriptor = descriptor
        self.number = number
    }

    mutating func run() {
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        #if !os(Linux)
            _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
        #endif
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        do {
            try perform(server.greeting(on: number))
            while true {
                let head = try readHead()
                switch server.behavior {
                case .script(let script):
                    try perform(script(server.arrived(head: head, body: readBody(of: head), on: number)))
                case .faults(let schedule):
                    let path = FaultConnection.path(in: head)
                    let (fault, greets) = schedule.withLock { $0.fault(forRequestTo: path, on: number) }
                    let body = fault.readsBody ? try readBody(of: head) : Data()
                    let request = server.arrived(head: head, body: body, on: number)
                    server.note(.fault(fault.name), on: number)
                    try perform((greets ? fault.greeting : []) + fault.respond(request))
                }
            }
        } catch {
            // Close the descriptor before noting the end: a test that observes the event may connect again, or check
            // that this connection no longer works.
            _ = close(descriptor)
            let isByClient = error as? Ending == .byClient
            if isByClient { server.clientClosed() }
            server.note(isByClient ? .closedByClient : .closedByServer, on: number)
        }
    }
}

// MARK: Reading

extension FaultConnection {
    private mutating func readHead() throws -> Data {
        let end = try readThrough(Data("\r\n\r\n".utf8))
        defer { pending = Data(pending[end...]) }
        return Data(pending[..<end])
    }

    /// Reads until the separator has arrived, and returns the index after it.
    private mutating func readThrough(_ separator: Data) throws -> Data.Index {
        var searched = 0
        while true {
            // The separator may span two reads.
            let from = pending.startIndex + max(0, searched - separator.count + 1)
            if let range = pending.range(of: separator, in: from..<pending.endIndex) { return range.upperBound }
            searched = pending.count
            try readMore()
        }
    }

    private mutating func readBody(of head: Data) throws -> Data {
        if FaultConnection.value(of: "transfer-encoding", in: head)?.lowercased() == "chunked" {
            return try readChunks()
        }
        let length = max(0, FaultConnection.value(of: "content-length", in: head).flatMap { Int($0) } ?? 0)
        return try take(length)
    }

    /// Reads the chunks up to the last one (RFC 9112 §7.1), and the trailer section.
    private mutating func readChunks() throws -> Data {
        var body = Data()
        while true {
            let line = String(decoding: try takeLine(), as: UTF8.self)
            guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0,
                size <= FaultServer.requestByteLimit - body.count
            else { throw Ending.closed }
            if size == 0 { break }
            body += try take(size)
            _ = try takeLine()
        }
        while try !takeLine().isEmpty {}
        return body
    }

    private mutating func take(_ count: Int) throws -> Data {
        guard count <= FaultServer.requestByteLimit else { throw Ending.closed }
        while pending.count < count { try readMore() }
        defer { pending = Data(pending.dropFirst(count)) }
        return Data(pending.prefix(count))
    }

    private mutating func takeLine() throws -> Data {
        let end = try readThrough(Data("\r\n".utf8))
        defer { pending = Data(pending[end...]) }
        return Data(pending[..<(end - 2)])
    }

    private static func value(of name: String, in head: Data) -> String? {
        for line in String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name {
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        return nil
    }

    private static func path(in head: Data) -> String {
        let line = head.prefix { $0 != 13 }.split(separator: UInt8(ascii: " "))
        guard line.count > 1 else { return "" }
        return String(decoding: line[1].prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }

    private mutating func readMore() throws {
        guard pending.count < FaultServer.requestByteLimit else { throw Ending.closed }
        try wait(for: Int16(POLLIN), upTo: nil)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw Ending.byClient }
        server.received(count)
        pending.append(contentsOf: buffer[..<count])
    }
}

// MARK: Acting

extension FaultConnection {
    private mutating func perform(_ actions: [FaultServer.Action]) throws {
        for step in actions.lazy.flatMap(\.steps) {
            switch step {
            case .send(let bytes):
                try send(bytes)
            case .drip(let bytes, let chunk, let pause):
                var rest = bytes[...]
                while !rest.isEmpty {
                    try idle(for: pause)
                    try send(Data(rest.prefix(chunk)))
                    rest = rest.dropFirst(chunk)
                }
            case .wait(let duration): try idle(for: duration)
            case .waitForGate(let gate):
                while !gate.pass() { try idle(for: .milliseconds(2)) }
            case .endless(let bytes):
                while true {
                    // A client that reads fast leaves no other point at which this loop would see the signal.
                    if server.stopSignal.waitFor(-1, events: 0, upTo: .zero) == .stopped { throw Ending.stopped }
                    try send(bytes)
                }
            case .hang:
                // Nothing of the connection is read again, so what arrives is not kept.
                while true {
                    pending = Data()
                    try readMore()
                }
            case .halfClose: _ = shutdown(descriptor, Int32(SHUT_WR))
            case .close: throw Ending.closed
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                _ = setsockopt(
                    descriptor,
                    SOL_SOCKET,
                    SO_LINGER,
                    &linger,
                    socklen_t(MemoryLayout.size(ofValue: linger))
                )
                throw Ending.closed
            }
        }
    }

    private func send(_ bytes: Data) throws {
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.map { sendBytes($0 + sent, bytes.count - sent, flags) } ?? 0
            }
            if count >= 0 {
                sent += count
                server.sent(count)
            } else if errno == EAGAIN {
                try wait(for: Int16(POLLOUT), upTo: nil)
            } else if errno != EINTR {
                throw Ending.byClient
            }
        }
    }

    private func sendBytes(_ start: UnsafeRawPointer, _ count: Int, _ flags: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.send(descriptor, start, count, flags)
        #else
            Darwin.send(descriptor, start, count, flags)
        #endif
    }

    /// Waits for `duration`. The wait ends early when the client closes the connection.
    private mutating func idle(for duration: Duration) throws {
        let end = ContinuousClock.now + max(duration.withinCentury, .zero)
        while true {
            let left = end - ContinuousClock.now
            if left <= .zero { return }
            switch server.stopSignal.waitFor(descriptor, events: Int16(POLLIN), upTo: left) {
            case .stopped: throw Ending.stopped
            case .timedOut: return
            case .ready: try readMore()
            }
        }
    }

    private func wait(for events: Int16, upTo limit: Duration?) throws {
        if server.stopSignal.waitFor(descriptor, events: events, upTo: limit) == .stopped { throw Ending.stopped }
    }
}
