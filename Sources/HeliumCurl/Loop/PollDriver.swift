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

    init(multi: UnsafeMutableRawPointer) { self.multi = multi }

    func perform(now: UInt64) {
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
    }

    func wait(until deadline: UInt64) -> Bool {
        var ready: Int32 = 0
        let milliseconds = LoopTurn.milliseconds(until: deadline)
        curl_multi_poll(multi, nil, 0, milliseconds < 0 ? .max : milliseconds, &ready)
        return ready > 0
    }

    func wake() {
        isOpen.withLock { isOpen in
            if isOpen { _ = curl_multi_wakeup(multi) }
        }
    }

    func didOpen(_ socket: curl_socket_t) {}
    func willClose(_ socket: curl_socket_t) {}
    func close() { isOpen.withLock { $0 = false } }
}
