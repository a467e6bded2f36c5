import Dispatch
import Foundation
import HeliumConcurrency
import HeliumKit
import Synchronization

/// Standard input or a pipe, in chunks as they arrive. Available bytes are returned at once, whether they are one line
/// of a sensor or a file.
final class StandardInput: Sendable {
    private struct State: Sendable {
        var isStopped = false
        var reader: CheckedContinuation<Data?, any Error>?
        /// -1 until the pipe is opened. Opening blocks until a writer opens the pipe.
        var descriptor: Int32 = -1
    }

    /// The maximum size of a chunk, in bytes.
    static let chunkSize = 65_536

    private let path: String
    private let context: CommandContext
    // A separate queue, because reading blocks a thread until data arrives.
    private let queue = DispatchQueue(label: "helium.stdin")
    private let state = Guarded(State())

    /// - Parameter path: The path of the pipe; `-` for standard input.
    init(path: String = "-", in context: CommandContext = .current) {
        self.path = path
        self.context = context
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Returns the next bytes; `nil` at the end, and after ``stop()``.
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

    /// Ends the input now. A pending ``next()`` returns `nil`, and later data is not read.
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

    /// The error thrown when reading fails, with the system's error message.
    private struct Unreadable: Error, CustomStringConvertible {
        let name: String
        let number: Int32
        var description: String {
            // The number of a closed descriptor may have been reused for another file that cannot be read.
            let isClosed = number == EBADF || number == EINVAL
            return "\(name) can't be read: \(isClosed ? "it is closed" : String(cString: strerror(number)))"
        }
    }

    /// Reads the next bytes. Must be called on the queue.
    private func read() -> Result<Data?, any Error> {
        let name = path == "-" ? "stdin" : PrintableText.line(path)
        var descriptor = path == "-" ? context.input.fileDescriptor : state.withLock { $0.descriptor }
        if descriptor < 0, path != "-" {
            descriptor = open(context.path(path), O_RDONLY | O_CLOEXEC)
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
    /// Creates a body of unknown length that is read once, from standard input (`-`) or a pipe.
    init(pipe path: String) {
        // The client may read the body in a task of its own.
        let context = CommandContext.current
        let isUsed = Guarded(false)
        self.init(length: nil, isReplayable: false) {
            let wasUsed = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return isUsed
            }
            guard !wasUsed else { throw CommandFailure("a pipe can be read only once") }
            return PipeSource(StandardInput(path: path, in: context))
        }
    }
}

/// Uploads the data of a pipe as a request body.
private final class PipeSource: UploadSource {
    private let input: StandardInput

    init(_ input: StandardInput) { self.input = input }

    func next() async throws -> Data? {
        let chunk = try await withTaskCancellationHandler {
            try await input.next()
        } onCancel: { [input] in
            input.stop()
        }
        // A body that ends because of a cancellation is not complete.
        try Task.checkCancellation()
        return chunk
    }

    func cancel() { input.stop() }
}
