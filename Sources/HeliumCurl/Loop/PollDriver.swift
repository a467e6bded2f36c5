import CLibcurl
import HeliumCore
import Synchronization

/// A driver that waits with `curl_multi_poll`, on every platform that libcurl supports. The cost of a turn is
/// proportional to the number of open transfers.
///
/// `@unchecked Sendable`: the multi handle is used on the loop thread. The wake-up is the one call that libcurl allows
/// on other threads, and it is made under the lock that ``close()`` takes.
final class PollDriver: LoopDriver, @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer
    private let isOpen = Guarded(true)
    /// The sockets that are waited for beside those of ``multi``, which libcurl knows.
    private var sockets = PolledSockets()

    init(multi: UnsafeMutableRawPointer) { self.multi = multi }

    func perform(now: UInt64) {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        sockets.perform(now: now)
    }

    func wait(until deadline: UInt64) -> Bool {
        var ready: Int32 = 0
        let milliseconds = LoopTurn.milliseconds(until: min(deadline, sockets.timerDeadline))
        sockets.withEntries { entries, count in
            _ = curl_multi_poll(multi, entries, UInt32(count), milliseconds < 0 ? .max : milliseconds, &ready)
        }
        return ready > 0
    }

    func wake() {
        isOpen.withLock { isOpen in
            if isOpen { _ = curl_multi_wakeup(multi) }
        }
    }

    func didOpen(_ socket: curl_socket_t) {}
    func willClose(_ socket: curl_socket_t) { sockets.remove(socket) }
    func serveChannels(_ multi: UnsafeMutableRawPointer) { sockets.serve(multi) }
    func watch(_ socket: curl_socket_t, for channel: ByteChannel) { sockets.watch(socket, for: channel) }
    func close() { isOpen.withLock { $0 = false } }
}
