#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A pipe, terminal or device that is written directly.
///
/// A slow reader blocks no thread: ``write(_:)`` suspends until the reader has made room, and ends when its task is
/// cancelled. If the reader has gone, the write fails with `EPIPE` and never raises the signal SIGPIPE.
package final class DirectOutput: Sendable {
    /// The number of bytes that a pipe which is ready takes without blocking (POSIX: at least `PIPE_BUF`).
    private static let pieceBytes = 4096

    /// The time in milliseconds for which a thread waits for a reader. Most readers need less.
    private static let heldMilliseconds: Int32 = 2

    private let descriptor: Int32

    /// Opens the target file. For a named pipe, waits until a process reads it.
    ///
    /// - Throws: ``SystemError``, `CancellationError`.
    package init(_ target: FileTarget) async throws {
        if let number = Self.standardDescriptor(target.path) {
            // Shares position and flags with that descriptor, as shells do, so that `>> file` continues to append.
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw SystemError.last }
        } else {
            descriptor = try await Self.open(target)
        }
        #if canImport(Darwin)
            _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        #endif
    }

    deinit { close(descriptor) }

    private static func open(_ target: FileTarget) async throws -> Int32 {
        var pause = Duration.milliseconds(2)
        while true {
            let flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
            let descriptor = retryingInterrupted { systemOpen(target.path, flags) }
            if descriptor >= 0 { return descriptor }
            // ENXIO: no process reads the pipe yet.
            guard errno == ENXIO, target.facts?.kind == .pipe else { throw SystemError.last }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    /// Writes all of `bytes`.
    ///
    /// - Throws: ``SystemError``, `CancellationError`.
    package func write(_ bytes: some Collection<UInt8> & Sendable) async throws {
        var rest = bytes.dropFirst(0)
        var pause = Duration.milliseconds(2)
        while true {
            try Task.checkCancellation()
            let count = try writeReady(rest)
            rest = rest.dropFirst(count)
            if rest.isEmpty { return }
            if count > 0 { pause = .milliseconds(2) }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    /// Writes as much of `bytes` as the reader makes room for at once, and returns the number of bytes written.
    package func writeReady(_ bytes: some Collection<UInt8>) throws(SystemError) -> Int {
        var rest = bytes.dropFirst(0)
        var written = 0
        while !rest.isEmpty, try isWritable() {
            let piece = Array(rest.prefix(Self.pieceBytes))
            let count = piece.withUnsafeBytes { piece in
                Self.withoutBrokenPipeSignal {
                    retryingInterrupted { systemWrite(descriptor, piece.baseAddress, piece.count) }
                }
            }
            if count < 0, errno == EAGAIN { break }
            guard count >= 0 else { throw SystemError.last }
            rest = rest.dropFirst(count)
            written += count
        }
        return written
    }

    /// Returns whether the reader has made room, after waiting for it for a moment.
    private func isWritable() throws(SystemError) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let count = retryingInterrupted { poll(&request, 1, Self.heldMilliseconds) }
        guard count >= 0 else { throw SystemError.last }
        return count > 0
    }

    /// Returns the descriptor that a path such as `/dev/stdout` or `/dev/fd/3` names, or `nil` for all other paths.
    static func standardDescriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            return nil
        }
    }

    /// Calls `body` so that a write to a pipe without a reader fails with `EPIPE` without raising SIGPIPE.
    private static func withoutBrokenPipeSignal(_ body: () -> Int) -> Int {
        #if canImport(Darwin)
            return body()
        #else
            var pipe = sigset_t()
            var before = sigset_t()
            var pending = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            sigpending(&pending)
            let wasPending = sigismember(&pending, SIGPIPE) == 1
            pthread_sigmask(SIG_BLOCK, &pipe, &before)
            let result = body()
            let error = errno
            if result < 0, error == EPIPE, !wasPending {
                // Consumes the signal that this write raised on this thread.
                var none = timespec()
                while sigtimedwait(&pipe, nil, &none) == -1, errno == EINTR {}
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            errno = error
            return result
        #endif
    }
}
