import Dispatch
import Foundation

/// Standard input, chunk by chunk as it comes: what is there is given at once, whether it is a line of a sensor or a file.
struct StandardInput: Sendable {
    /// How many bytes a chunk has at most.
    static let chunkSize = 65_536

    // A queue of its own: reading blocks a thread until something comes.
    private let queue = DispatchQueue(label: "helium.stdin")

    /// The next bytes; `nil` at the end.
    ///
    /// A cancelled task gets the end at once. What is being read then is not lost to anyone: nobody is there to read it.
    func next() async throws -> Data? {
        let reading = Reading()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard reading.begin(continuation) else { return }
                queue.async { reading.end(Self.read()) }
            }
        } onCancel: {
            reading.end(.success(nil))
        }
    }

    private static func read() -> Result<Data?, any Error> {
        var bytes = [UInt8](repeating: 0, count: chunkSize)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { return .success(Data(bytes[..<count])) }
            if count == 0 { return .success(nil) }
            if errno != EINTR { return .failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)) }
        }
    }
}

/// One read, which ends once: with what it got, or by cancellation.
private final class Reading: Sendable {
    private enum State: Sendable {
        case idle
        case waiting(CheckedContinuation<Data?, any Error>)
        case over
    }

    private let state = Guarded(State.idle)

    /// - Returns: Whether to read.
    func begin(_ continuation: CheckedContinuation<Data?, any Error>) -> Bool {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isOver { continuation.resume(returning: nil) }
        return !isOver
    }

    func end(_ result: Result<Data?, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Data?, any Error>? in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(with: result)
    }
}
