import Foundation

/// One connection of a ``FaultServer``, on a thread of its own.
struct FaultConnection {
    /// Why a connection is done with.
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
            try perform(server.greeting)
            while true {
                let request = try readRequest()
                try perform(server.script(request))
            }
        } catch {
            if case .byClient? = error as? Ending { server.clientClosed() }
        }
        _ = close(descriptor)
    }
}

// MARK: Reading

extension FaultConnection {
    private mutating func readRequest() throws -> FaultServer.ReceivedRequest {
        let separator = Data("\r\n\r\n".utf8)
        var searched = 0
        var end: Int?
        while end == nil {
            // The separator may straddle two reads.
            let from = pending.startIndex + max(0, searched - 3)
            end = pending.range(of: separator, in: from..<pending.endIndex)?.upperBound
            searched = pending.count
            if end == nil { try readMore() }
        }
        let headEnd = end ?? pending.endIndex
        let head = Data(pending[..<headEnd])
        let length = FaultConnection.announcedLength(head)
        pending = Data(pending[headEnd...])
        while pending.count < length { try readMore() }
        let body = Data(pending.prefix(length))
        pending = Data(pending.dropFirst(length))
        return server.arrived(head: head, body: body, on: number)
    }

    private static func announcedLength(_ head: Data) -> Int {
        for line in String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "content-length" {
                return max(0, Int(parts[1].trimmingCharacters(in: .whitespaces)) ?? 0)
            }
        }
        return 0
    }

    private mutating func readMore() throws {
        guard pending.count < FaultServer.requestByteLimit else { throw Ending.closed }
        try wait(for: Int16(POLLIN), upTo: nil)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { throw Ending.byClient }
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
            case .hang: try idle(for: nil)
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

    /// Waits without reading; the client's going away ends it.
    private mutating func idle(for duration: Duration?) throws {
        let end = duration.map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { $0 - ContinuousClock.now }
            if let left, left <= .zero { return }
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
