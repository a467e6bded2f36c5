import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A TCP connection that sends exactly the bytes it is given: the tests' own client, so that no HTTP library hides or
/// repairs what goes over the wire. Every wait ends after 90 seconds.
package final class RawConnection: Sendable {
    package enum Failure: Error {
        case cannotConnect(Int32)
        case timedOut
        case closed
        case reset(Int32)
        case malformed(String)
    }

    private let descriptor: Int32
    private let buffer = Mutex<[UInt8]>([])

    package init(port: Int) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var limit = timeval(tv_sec: 90, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw Failure.cannotConnect(code)
        }
    }

    deinit { close(descriptor) }

    package func send(_ bytes: [UInt8]) async throws {
        try await blocking { [descriptor] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard sent > 0 else { throw Failure.reset(errno) }
                rest = rest.dropFirst(sent)
            }
        }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends bytes, and ends this side of the connection in the same moment.
    package func sendLast(_ bytes: [UInt8]) async throws {
        try await send(bytes)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// One answer; `isHead` for the answer to a HEAD request, which has no body whatever its fields say.
    package func answer(isHead: Bool = false) async throws -> RawAnswer {
        let head = String(decoding: try await read(through: Array("\r\n\r\n".utf8)), as: UTF8.self)
        var lines = head.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let statusLine = lines.removeFirst().split(separator: " ")
        guard statusLine.count > 1, let status = Int(statusLine[1]) else { throw Failure.malformed(head) }
        let fields = lines.map { line -> (String, String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        var answer = RawAnswer(status: status, fields: fields, body: [])
        if isHead || status == 304 || status == 204 { return answer }
        guard let length = answer["content-length"].flatMap(Int.init) else { throw Failure.malformed(head) }
        answer.body = try await read(count: length)
        return answer
    }

    package func read(count: Int) async throws -> [UInt8] {
        while buffer.withLock({ $0.count }) < count { try await fill() }
        return take(count)
    }

    /// The bytes that have arrived, at least one.
    package func readSome() async throws -> [UInt8] {
        if buffer.withLock({ $0.isEmpty }) { try await fill() }
        return take(buffer.withLock { $0.count })
    }

    /// The text up to the next line feed, without it.
    package func line() async throws -> String {
        String(decoding: try await read(through: [0x0A]).dropLast(), as: UTF8.self)
    }

    /// Everything until the server closes the connection, by whatever means.
    package func readToEnd() async throws -> [UInt8] {
        do {
            while true { try await fill() }
        } catch Failure.closed, Failure.reset {
            return take(buffer.withLock { $0.count })
        }
    }

    private func read(through mark: [UInt8]) async throws -> [UInt8] {
        while true {
            let end = buffer.withLock { bytes in
                mark.count == 1 ? bytes.firstIndex(of: mark[0]) : bytes.firstRange(of: mark)?.lowerBound
            }
            if let end { return take(end + mark.count) }
            try await fill()
        }
    }

    private func take(_ count: Int) -> [UInt8] {
        buffer.withLock { bytes in
            defer { bytes.removeFirst(count) }
            return Array(bytes[..<count])
        }
    }

    private func fill() async throws {
        let bytes = try await blocking { [descriptor] in
            var chunk = [UInt8](repeating: 0, count: 64 * 1024)
            var count = -1
            repeat { count = recv(descriptor, &chunk, chunk.count, 0) } while count < 0 && errno == EINTR
            if count > 0 { return Array(chunk[..<count]) }
            if count == 0 { throw Failure.closed }
            throw errno == EAGAIN ? Failure.timedOut : Failure.reset(errno)
        }
        buffer.withLock { $0 += bytes }
    }

    /// On a thread of its own: the cooperative threads, and Dispatch's, are what the server under test runs on.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }
}

/// An answer as it came over the wire.
package struct RawAnswer: Sendable {
    package var status: Int
    /// Names in lower case, in the order of the wire.
    package var fields: [(String, String)]
    package var body: [UInt8]

    package subscript(name: String) -> String? { fields.first { $0.0 == name }?.1 }

    package var text: String { String(decoding: body, as: UTF8.self) }
}
