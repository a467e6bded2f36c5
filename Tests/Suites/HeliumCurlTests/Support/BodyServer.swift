import Foundation
import HeliumCore
import Synchronization

/// A server on a loopback socket that looks at request bodies of any size while they come, which `FaultServer` keeps whole.
final class BodyServer: Sendable {
    /// The handling of each request.
    enum Behaviour: Sendable {
        /// Reads the body, pausing after each `chunk` bytes of the first `slowBytes`, and answers 200.
        case read(chunk: Int = 64 << 10, pause: Duration = .zero, slowBytes: Int = .max)
        /// Sends `first` as soon as the head is there, then reads the body, then sends `rest`.
        case readBetween(first: String, rest: String)
        /// Answers with this status as soon as the head is there, and reads nothing of the body.
        case answerEarly(Int)
        /// Reads the head and nothing more.
        case ignore
        /// Ends the connection after so many bytes of the body.
        case cut(after: Int)
    }

    /// A request as it came.
    struct Received: Sendable {
        var lines: [String] = []
        var bodyBytes = 0
        /// Whether the body was ``pattern`` from its beginning to its end.
        var isPattern = true
        var isComplete = false

        func value(of name: String) -> String? {
            lines.dropFirst().first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    private struct State {
        var received: [Received] = []
        var connectionCount = 0
        var threads = 0
        var descriptors: Set<Int32> = []
        var isStopping = false
    }

    let url: String
    private let listener: Int32
    private let behaviour: Behaviour
    private let state = Guarded(State())

    var received: [Received] { state.withLock { $0.received } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var openConnectionCount: Int { state.withLock { $0.descriptors.count } }

    static func run<Result>(
        _ behaviour: Behaviour,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (BodyServer) async throws -> Result
    ) async throws -> Result {
        let server = try BodyServer(behaviour)
        server.spawn { server.accept() }
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Waits until `condition` holds; `false` if it does not within the limit.
    func wait(upTo limit: Duration = .seconds(60), until condition: (BodyServer) -> Bool) async -> Bool {
        let end = ContinuousClock.now + limit
        while !condition(self) {
            guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(2))) != nil else {
                return condition(self)
            }
        }
        return true
    }

    private init(_ behaviour: Behaviour) throws {
        self.behaviour = behaviour
        #if os(Linux)
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // A small buffer, inherited by the connections: what is not read soon holds the client back.
        var buffer: Int32 = 64 << 10
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
        let listener = listener
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && getsockname(listener, $0, &size) == 0 && listen(listener, 64) == 0
            }
        }
        guard isReady else { throw POSIXError(.EADDRNOTAVAIL) }
        url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    private func spawn(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.threads += 1 }
        let thread = Thread {
            body()
            self.state.withLock { $0.threads -= 1 }
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    private func accept() {
        while true {
            let descriptor = Foundation.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            let isWanted = state.withLock { state in
                guard !state.isStopping else { return false }
                state.connectionCount += 1
                state.descriptors.insert(descriptor)
                return true
            }
            guard isWanted else {
                close(descriptor)
                return
            }
            spawn {
                self.serve(descriptor)
                self.state.withLock { _ = $0.descriptors.remove(descriptor) }
                close(descriptor)
            }
        }
    }

    private func stop() async {
        state.withLock { state in
            state.isStopping = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        while state.withLock({ $0.threads }) > 0 { try? await Task.sleep(for: .milliseconds(1)) }
        close(listener)
    }
}

// MARK: A connection

extension BodyServer {
    private struct Ended: Error {}

    /// The bytes of a connection, taken in pieces.
    private struct Reader {
        let descriptor: Int32
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var start = 0
        var end = 0

        mutating func fill() throws {
            guard start == end else { return }
            let capacity = buffer.count
            let count = recv(descriptor, &buffer, capacity, 0)
            guard count > 0 else { throw Ended() }
            start = 0
            end = count
        }

        mutating func line() throws -> String {
            var bytes: [UInt8] = []
            while true {
                try fill()
                bytes.append(buffer[start])
                start += 1
                if bytes.last == 10 { break }
            }
            guard bytes.suffix(2) == [13, 10] else { throw Ended() }
            return String(decoding: bytes.dropLast(2), as: UTF8.self)
        }

        mutating func take(upTo count: Int, _ body: (ArraySlice<UInt8>) -> Void) throws -> Int {
            try fill()
            let taken = min(count, end - start)
            body(buffer[start..<(start + taken)])
            start += taken
            return taken
        }
    }

    private func serve(_ descriptor: Int32) {
        var reader = Reader(descriptor: descriptor)
        do { while true { try serveOne(&reader) } } catch {}
    }

    private func serveOne(_ reader: inout Reader) throws {
        var lines: [String] = []
        while true {
            let line = try reader.line()
            if line.isEmpty { break }
            lines.append(line)
        }
        let index = state.withLock { [lines] state in
            state.received.append(Received(lines: lines))
            return state.received.count - 1
        }
        let request = received[index]
        switch behaviour {
        case .answerEarly(let status):
            try send("HTTP/1.1 \(status) Early\r\nContent-Length: 5\r\n\r\nearly", to: reader.descriptor)
            // Whatever comes now stays in the system's buffers; the client's going away shows when the server stops.
            try waitForEnd(reader.descriptor)
        case .ignore: try waitForEnd(reader.descriptor)
        case .read(let chunk, let pause, let slowBytes):
            try readBody(request, index, &reader, limit: .max, chunk: chunk, pause: pause, slowBytes: slowBytes)
            state.withLock { $0.received[index].isComplete = true }
            let body = "\(received[index].bodyBytes)"
            try send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)", to: reader.descriptor)
        case .readBetween(let first, let rest):
            try send(first, to: reader.descriptor)
            try readBody(request, index, &reader, limit: .max, chunk: 64 << 10, pause: .zero)
            try send(rest, to: reader.descriptor)
        case .cut(let limit):
            try readBody(request, index, &reader, limit: limit, chunk: limit, pause: .zero)
            throw Ended()
        }
    }

    private func readBody(
        _ request: Received,
        _ index: Int,
        _ reader: inout Reader,
        limit: Int,
        chunk: Int,
        pause: Duration,
        slowBytes: Int = .max
    ) throws {
        var sincePause = 0
        func take(_ wanted: Int, _ reader: inout Reader) throws {
            var left = wanted
            while left > 0 {
                let done = state.withLock { $0.received[index].bodyBytes }
                guard done < limit else { throw Ended() }
                var isPattern = true
                let taken = try reader.take(upTo: min(left, limit - done, chunk)) {
                    isPattern = BodyServer.isPattern($0, at: done)
                }
                state.withLock { [isPattern] state in
                    state.received[index].bodyBytes += taken
                    if !isPattern { state.received[index].isPattern = false }
                }
                left -= taken
                sincePause += taken
                if sincePause >= chunk, pause > .zero, done < slowBytes {
                    sincePause = 0
                    Thread.sleep(forTimeInterval: Double(pause.components.attoseconds) / 1e18)
                }
            }
        }
        if let length = request.value(of: "Content-Length").flatMap(Int.init) {
            try take(length, &reader)
        } else if request.value(of: "Transfer-Encoding") == "chunked" {
            while let size = Int(try reader.line(), radix: 16), size > 0 {
                try take(size, &reader)
                guard try reader.line().isEmpty else { throw Ended() }
            }
            guard try reader.line().isEmpty else { throw Ended() }
        }
    }

    private func waitForEnd(_ descriptor: Int32) throws {
        var polled = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&polled, 1, 20) >= 0, polled.revents & Int16(POLLHUP | POLLERR) == 0 {}
        throw Ended()
    }

    private func send(_ text: String, to descriptor: Int32) throws {
        var text = text
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        let count = text.withUTF8 { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
        guard count == text.utf8.count else { throw Ended() }
    }
}

// MARK: What is sent

extension BodyServer {
    /// No power of two, so that a block that is left out or comes twice shows.
    private static let block: [UInt8] = {
        var number: UInt64 = 88_172_645_463_325_252
        return (0..<65_521).map { _ in
            number ^= number << 13
            number ^= number >> 7
            number ^= number << 17
            return UInt8(truncatingIfNeeded: number)
        }
    }()

    /// `count` bytes of the pattern from `offset` on.
    static func pattern(_ count: Int, at offset: Int = 0) -> Data {
        var data = Data(capacity: count)
        var position = offset % block.count
        while data.count < count {
            let taken = min(block.count - position, count - data.count)
            data.append(contentsOf: block[position..<(position + taken)])
            position = 0
        }
        return data
    }

    private static func isPattern(_ bytes: ArraySlice<UInt8>, at offset: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            block.withUnsafeBytes { block in
                var position = offset % block.count
                var done = 0
                while done < bytes.count {
                    let count = min(block.count - position, bytes.count - done)
                    guard let a = bytes.baseAddress, let b = block.baseAddress,
                        memcmp(a + done, b + position, count) == 0
                    else { return false }
                    done += count
                    position = 0
                }
                return true
            }
        }
    }
}

/// Gives the pattern in chunks, and tells what was asked of it.
final class PatternSource: UploadSource {
    struct Broken: Error {}

    private struct State {
        var given = 0
        var isCancelled = false
    }

    private let count: Int
    private let chunk: Int
    private let breaksAt: Int
    private let stallsAt: Int
    private let state = Guarded(State())

    init(_ count: Int, chunk: Int = 50_000, breaksAt: Int = .max, stallsAt: Int = .max) {
        self.count = count
        self.chunk = chunk
        self.breaksAt = breaksAt
        self.stallsAt = stallsAt
    }

    var givenBytes: Int { state.withLock { $0.given } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws -> Data? {
        let given = givenBytes
        if given >= breaksAt { throw Broken() }
        if given >= stallsAt { try await Task.sleep(for: .seconds(3600)) }
        guard given < count else { return nil }
        let data = BodyServer.pattern(min(chunk, count - given), at: given)
        state.withLock { $0.given += data.count }
        return data
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// A body of this source alone.
    func body(length: Int64?) -> UploadBody { UploadBody(length: length, isReplayable: false) { self } }
}
