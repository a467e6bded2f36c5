import CLibcurl
import HeliumCore
import Synchronization

/// A driver that waits with `curl_multi_poll`, on every platform that libcurl supports. The cost of a turn is
/// proportional to the number of open connections.
///
/// `@unchecked Sendable`: the handle is used on the loop thread. The wake-up is the one call that libcurl allows on other
/// threads, and it is made under the lock that ``close()`` takes.
final class PollDriver: LoopDriver, @unchecked Sendable {
    /// A handle without transfers, which waits and can be woken.
    private let waiter: UnsafeMutableRawPointer
    private let isOpen = Guarded(true)
    private var sockets = PolledSockets()

    /// Creates a driver. Returns `nil` if the process has no descriptors left.
    init?() {
        guard let waiter = curl_multi_init() else { return nil }
        self.waiter = waiter
    }

    deinit { curl_multi_cleanup(waiter) }

    func serve(_ multi: UnsafeMutableRawPointer) { sockets.serve(multi) }

    func perform(now: UInt64) { sockets.perform(now: now) }

    func wait(until deadline: UInt64) -> Bool {
        var ready: Int32 = 0
        let milliseconds = LoopTurn.milliseconds(until: min(deadline, sockets.timerDeadline))
        sockets.withEntries { entries, count in
            _ = curl_multi_poll(waiter, entries, UInt32(count), milliseconds < 0 ? .max : milliseconds, &ready)
        }
        return ready > 0
    }

    func wake() {
        isOpen.withLock { isOpen in
            if isOpen { _ = curl_multi_wakeup(waiter) }
        }
    }

    func didOpen(_ socket: curl_socket_t) {}
    func willClose(_ socket: curl_socket_t) { sockets.remove(socket) }
    func watch(_ socket: curl_socket_t, for channel: ByteChannel) { sockets.watch(socket, for: channel) }
    func close() { isOpen.withLock { $0 = false } }
}
