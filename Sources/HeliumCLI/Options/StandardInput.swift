import Dispatch
import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// Standard input or a pipe, chunk by chunk as it comes: what is there is given at once, whether it is a line of a sensor
/// or a file.
final class StandardInput: Sendable {
    private struct State: Sendable {
        var isStopped = false
        var reader: CheckedContinuation<Data?, any Error>?
        /// -1 until it is opened, which blocks where nobody writes to the pipe yet.
        var descriptor: Int32 = -1
    }

    /// The maximum size of a chunk, in bytes.
    static let chunkSize = 65_536

    private let path: String
    // A queue of its own: reading blocks a thread until something comes.
    private let queue = DispatchQueue(label: "helium.stdin")
    private let state = Guarded(State())

    /// - Parameter path: The pipe; `-` is standard input.
    init(path: String = "-") { self.path = path }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// The next bytes; `nil` at the end, and after ``stop()``.
    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.reader = continuation }
                return state.isStopped
            }
            if isStopped { return continuation.resume(returning: nil) }
            queue.async { [self] in end(read()) }
        }
    }

    /// Ends the input now. Whoever waits for more gets the end; what comes later is not read.
    func stop() {
        state.withLock { $0.isStopped = true }
        end(.success(nil))
    }

    private func end(_ result: Result<Data?, any Error>) {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: result)
    }

    /// Why nothing can be read, in the system's words.
    private struct Unreadable: Error, CustomStringConvertible {
        let name: String
        let number: Int32
        var description: String {
            // A closed descriptor's number may be another file's by now, of which nothing can be read.
            let isClosed = number == EBADF || number == EINVAL
            return "\(name) can't be read: \(isClosed ? "it is closed" : String(cString: strerror(number)))"
        }
    }

    /// On the queue alone.
    private func read() -> Result<Data?, any Error> {
        let name = path == "-" ? "stdin" : PrintableText.line(path)
        var descriptor = path == "-" ? STDIN_FILENO : state.withLock { $0.descriptor }
        if descriptor < 0 {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            if descriptor < 0 { return .failure(Unreadable(name: name, number: errno)) }
            state.withLock { [descriptor] in $0.descriptor = descriptor }
        }
        var bytes = [UInt8](repeating: 0, count: Self.chunkSize)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { return .success(Data(bytes[..<count])) }
            if count == 0 { return .success(nil) }
            let number = errno
            if number != EINTR { return .failure(Unreadable(name: name, number: number)) }
        }
    }
}

extension UploadBody {
    /// A body of unknown length that is read from standard input (`-`) or a pipe, once.
    init(pipe path: String) {
        let isUsed = Guarded(false)
        self.init(length: nil, isReplayable: false) {
            let wasUsed = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return isUsed
            }
            guard !wasUsed else { throw CommandFailure("a pipe can be read only once") }
            return PipeSource(StandardInput(path: path))
        }
    }
}

/// Gives a request body what comes through a pipe.
private final class PipeSource: UploadSource {
    private let input: StandardInput

    init(_ input: StandardInput) { self.input = input }

    func next() async throws -> Data? {
        let chunk = try await withTaskCancellationHandler {
            try await input.next()
        } onCancel: { [input] in
            input.stop()
        }
        // A body that ends because nobody wants it is not a whole one.
        try Task.checkCancellation()
        return chunk
    }

    func cancel() { input.stop() }
}
