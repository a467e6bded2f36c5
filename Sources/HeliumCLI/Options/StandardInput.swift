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
        var reader: CheckedContinuation<Part, any Error>?
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

    /// A part of the input. A pause is none of these: ``next()`` waits. A failure to read is an error that it throws.
    enum Part: Sendable, Equatable {
        /// The next bytes, of which there is at least one.
        case bytes(Data)
        /// The input is complete.
        case end
        /// ``stop()`` was called. The bytes before it may end within a line or a character.
        case stopped
    }

    /// Returns the next part.
    ///
    /// - Throws: `CommandFailure` if the input cannot be read. The bytes before may end within a line or a character.
    func next() async throws -> Part {
        try await withCheckedThrowingContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.reader = continuation }
                return state.isStopped
            }
            if isStopped { return continuation.resume(returning: .stopped) }
            queue.async { [self] in end(Result { try read() }) }
        }
    }

    /// Returns the whole input.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: `CommandFailure` if the input is longer or cannot be read; `CancellationError` if it was stopped. A part
    ///   of the input is never returned.
    func readToEnd(limit: Int) async throws -> Data {
        var bytes = Data()
        while true {
            switch try await next() {
            case .bytes(let chunk): bytes += chunk
            case .end: return bytes
            case .stopped: throw CancellationError()
            }
            guard bytes.count <= limit else { throw CommandFailure("\(name) has more than \(limit) bytes") }
        }
    }

    /// Whether ``stop()`` was called.
    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Ends the input now. A pending ``next()`` returns ``Part/stopped``, and later data is not read.
    func stop() {
        state.withLock { $0.isStopped = true }
        end(.success(.stopped))
    }

    private func end(_ result: Result<Part, any Error>) {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: result)
    }

    /// The name for messages.
    private var name: String { path == "-" ? "stdin" : path }

    /// Reads the next bytes. Must be called on the queue.
    private func read() throws -> Part {
        do {
            var descriptor = path == "-" ? context.input.fileDescriptor : state.withLock { $0.descriptor }
            if descriptor < 0, path != "-" {
                descriptor = open(context.path(path), O_RDONLY | O_CLOEXEC)
                if descriptor < 0 { throw DescriptorReader.Unreadable(name: name, number: errno) }
                state.withLock { [descriptor] in $0.descriptor = descriptor }
            }
            let bytes = try DescriptorReader.next(from: descriptor, named: name, upTo: Self.chunkSize)
            return bytes.map { .bytes($0) } ?? .end
        } catch let error as DescriptorReader.Unreadable {
            throw CommandFailure(error.description)
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
        let part = try await withTaskCancellationHandler {
            try await input.next()
        } onCancel: { [input] in
            input.stop()
        }
        switch part {
        case .bytes(let chunk): return chunk
        case .end: return nil
        // The body is not complete.
        case .stopped: throw CancellationError()
        }
    }

    func cancel() { input.stop() }
}
