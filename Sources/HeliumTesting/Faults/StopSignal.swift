import Foundation
import HeliumCore
import Synchronization

/// Ends the waits of all threads of a server at once. It is a pipe whose write end is closed.
final class StopSignal: Sendable {
    enum Outcome { case ready, timedOut, stopped }

    private let readEnd: Int32
    private let writeEnd: Guarded<Int32>

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = Guarded(ends[1])
    }

    deinit {
        raise()
        _ = close(readEnd)
    }

    /// Ends all current and future waits.
    func raise() {
        writeEnd.withLock { end in
            if end >= 0 { _ = close(end) }
            end = -1
        }
    }

    /// Waits for an event on `descriptor` (-1 for none), for `limit`, or for the signal.
    func waitFor(_ descriptor: Int32, events: Int16, upTo limit: Duration?) -> Outcome {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            var milliseconds: Int32 = -1
            if let end {
                let left = end - ContinuousClock.now
                milliseconds = left <= .zero ? 0 : Int32(clamping: Int(left / .milliseconds(1)) + 1)
            }
            var polled = [
                pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: events, revents: 0),
            ]
            let count = poll(&polled, 2, milliseconds)
            if count < 0, errno == EINTR { continue }
            if polled[0].revents != 0 { return .stopped }
            if polled[1].revents != 0 { return .ready }
            if count <= 0 { return .timedOut }
        }
    }
}
