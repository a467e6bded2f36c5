import CLibcurl

/// The sockets of channels for a driver that waits with `curl_multi_poll`: those that libcurl is connecting, and those
/// that channels use. Used on the loop's thread.
final class PolledSockets {
    private var multi: UnsafeMutableRawPointer?
    /// The events that libcurl waits for, by socket.
    private var wanted: [curl_socket_t: Int32] = [:]
    private var channels: [curl_socket_t: Unmanaged<ByteChannel>] = [:]
    /// The entries of the last wait, whose memory is reused.
    private var entries: [curl_waitfd] = []
    /// The time of libcurl's timer.
    private(set) var timerDeadline = UInt64.max

    /// Makes libcurl report its sockets here.
    func serve(_ multi: UnsafeMutableRawPointer) {
        self.multi = multi
        let context = Unmanaged.passUnretained(self).toOpaque()
        _ = helium_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
        _ = helium_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
        _ = helium_multi_set_socket_callback(multi) { _, socket, what, context, _ in
            guard let context else { return 0 }
            Unmanaged<PolledSockets>.fromOpaque(context)._withUnsafeGuaranteedRef {
                $0.wanted[socket] = what == CURL_POLL_REMOVE ? nil : what
            }
            return 0
        }
        _ = helium_multi_set_timer_callback(multi) { _, milliseconds, context in
            guard let context else { return 0 }
            Unmanaged<PolledSockets>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) }
            return 0
        }
    }

    func watch(_ socket: curl_socket_t, for channel: ByteChannel) {
        channels[socket] = Unmanaged.passUnretained(channel)
    }

    func remove(_ socket: curl_socket_t) {
        wanted[socket] = nil
        channels[socket] = nil
    }

    /// Calls `body` with the entries to wait for.
    func withEntries(_ body: (UnsafeMutablePointer<curl_waitfd>?, Int) -> Void) {
        entries.removeAll(keepingCapacity: true)
        for (socket, what) in wanted where channels[socket] == nil {
            append(socket, toRead: what & CURL_POLL_IN != 0, toWrite: what & CURL_POLL_OUT != 0)
        }
        for (socket, channel) in channels {
            let interest = channel._withUnsafeGuaranteedRef { $0.interest }
            append(socket, toRead: interest.toRead, toWrite: interest.toWrite, toEnd: interest.toEnd)
        }
        entries.withUnsafeMutableBufferPointer { body($0.baseAddress, $0.count) }
    }

    private func append(_ socket: curl_socket_t, toRead: Bool, toWrite: Bool, toEnd: Bool = false) {
        var events: Int16 = 0
        if toRead { events |= Int16(CURL_WAIT_POLLIN) }
        if toWrite { events |= Int16(CURL_WAIT_POLLOUT) }
        // Without events, the system reports errors and the end of both directions.
        if events != 0 || toEnd { entries.append(curl_waitfd(fd: socket, events: events, revents: 0)) }
    }

    /// Handles the events of the last wait, and the timer.
    func perform(now: UInt64) {
        var running: Int32 = 0
        let ready = entries.filter { $0.revents != 0 }
        entries.removeAll(keepingCapacity: true)
        for entry in ready {
            let toRead = entry.revents & Int16(CURL_WAIT_POLLIN) != 0
            let toWrite = entry.revents & Int16(CURL_WAIT_POLLOUT) != 0
            if let channel = channels[entry.fd] {
                // The system reports errors with each kind of event.
                channel.takeUnretainedValue().isReady(toRead: toRead, toWrite: toWrite, isEnding: toRead)
            } else if let multi, wanted[entry.fd] != nil {
                let what = (toRead ? CURL_CSELECT_IN : 0) | (toWrite ? CURL_CSELECT_OUT : 0)
                curl_multi_socket_action(multi, entry.fd, what, &running)
            }
        }
        if timerDeadline <= now, let multi {
            timerDeadline = .max
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
    }

    private func setTimer(_ milliseconds: Int) {
        // The clock is read again, because a timer that fires early would be lost: libcurl reports only changes.
        timerDeadline =
            milliseconds < 0 ? .max : milliseconds == 0 ? 0 : LoopTurn.read() &+ UInt64(milliseconds) &* 1_000_000
    }
}
