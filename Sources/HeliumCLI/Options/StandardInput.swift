import Dispatch
import Foundation
import HeliumConcurrency
import Synchronization

/// Standard input, chunk by chunk as it comes: what is there is given at once, whether it is a line of a sensor or a file.
final class StandardInput: Sendable {
    private struct State: Sendable {
        var isStopped = false
        var reader: CheckedContinuation<Data?, any Error>?
    }

    /// How many bytes a chunk has at most.
    static let chunkSize = 65_536

    // A queue of its own: reading blocks a thread until something comes.
    private let queue = DispatchQueue(label: "helium.stdin")
    private let state = Guarded(State())

    /// The next bytes; `nil` at the end, and after ``stop()``.
    func next() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            let isStopped = state.withLock { state in
                if !state.isStopped { state.reader = continuation }
                return state.isStopped
            }
            if isStopped { return continuation.resume(returning: nil) }
            queue.async { [self] in end(Self.read()) }
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
        let number: Int32
        var description: String {
            // A closed descriptor's number may be another file's by now, of which nothing can be read.
            let isClosed = number == EBADF || number == EINVAL
            return "stdin can't be read: \(isClosed ? "it is closed" : String(cString: strerror(number)))"
        }
    }

    private static func read() -> Result<Data?, any Error> {
        var bytes = [UInt8](repeating: 0, count: chunkSize)
        while true {
            let count = bytes.withUnsafeMutableBytes { Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { return .success(Data(bytes[..<count])) }
            if count == 0 { return .success(nil) }
            let number = errno
            if number != EINTR { return .failure(Unreadable(number: number)) }
        }
    }
}
