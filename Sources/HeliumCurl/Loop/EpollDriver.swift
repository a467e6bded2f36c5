internal import Synchronization

#if os(Linux)
    import CLibcurl
    import Glibc
    import HeliumCore

    /// A driver that waits with `epoll`. The cost of a turn does not depend on the number of open connections.
    ///
    /// While libcurl makes a connection, its sockets are registered as it wants. An event that libcurl is not interested in
    /// ends the registration. The socket of a channel is registered once, for both directions and edge-triggered, so that
    /// neither a pause nor a full buffer costs a system call.
    ///
    /// `@unchecked Sendable`: all state belongs to the loop thread, except for the event descriptor, which a lock
    /// protects.
    final class EpollDriver: LoopDriver, @unchecked Sendable {
        private struct Registration {
            var registered: UInt32 = 0
            var wanted: UInt32 = 0
            /// Whether the socket was opened by our callback and is hence closed by it, so that its end is reported.
            /// Sockets that libcurl opens for itself (name lookups) are not reported, so their registration must never
            /// outlive libcurl's interest.
            var isConnection = false
            /// The channel that uses the socket, once it is connected. The host of the channel retains it, and the channel
            /// closes the socket.
            var channel: Unmanaged<ByteChannel>?
        }

        private static let capacity = 128

        /// libcurl's handle, which makes the connections, and the time of its timer.
        private var multi: UnsafeMutableRawPointer?
        private var timerDeadline = UInt64.max
        private let poller: Int32
        private let wakeDescriptor: Int32
        private let isOpen = Guarded(true)
        /// The registrations by descriptor. In an array, each change would be checked for overlapping accesses.
        private var registrations = UnsafeMutableBufferPointer<Registration>(start: nil, count: 0)
        private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        private var readyCount = 0

        /// Creates a driver. Returns `nil` if the process has no descriptors left.
        init?() {
            poller = epoll_create1(Int32(EPOLL_CLOEXEC))
            wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
            guard poller >= 0, wakeDescriptor >= 0 else {
                close()
                return nil
            }
            // Edge-triggered: every write is a new event, so the count need not be read.
            var event = epoll_event(
                events: EPOLLIN.rawValue | EPOLLET.rawValue,
                data: epoll_data(fd: wakeDescriptor)
            )
            guard epoll_ctl(poller, EPOLL_CTL_ADD, wakeDescriptor, &event) == 0 else {
                close()
                return nil
            }
        }

        func serve(_ multi: UnsafeMutableRawPointer) {
            self.multi = multi
            let context = Unmanaged.passUnretained(self).toOpaque()
            _ = helium_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
            _ = helium_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
            _ = helium_multi_set_socket_callback(multi) { _, socket, what, context, _ in
                guard let context else { return 0 }
                Unmanaged<EpollDriver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.want(what, of: socket) }
                return 0
            }
            _ = helium_multi_set_timer_callback(multi) { _, milliseconds, context in
                guard let context else { return 0 }
                Unmanaged<EpollDriver>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.setTimer(milliseconds) }
                return 0
            }
        }

        deinit {
            close()
            events.deallocate()
            registrations.deallocate()
        }

        func perform(now: UInt64) {
            for index in 0..<readyCount { handle(events[index]) }
            readyCount = 0
            expire(now: now)
        }

        private func handle(_ event: epoll_event) {
            let socket = event.data.fd
            let mask = event.events
            if socket == wakeDescriptor { return }
            guard registrations.indices.contains(Int(socket)) else { return }
            let registration = registrations[Int(socket)]
            let isEnding = mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
            if let channel = registration.channel {
                // The channel may end, and with it the last reference to it.
                channel.takeUnretainedValue().isReady(
                    toRead: mask & EPOLLIN.rawValue != 0,
                    toWrite: mask & EPOLLOUT.rawValue != 0,
                    isEnding: isEnding || mask & EPOLLRDHUP.rawValue != 0
                )
                return
            }
            guard registration.wanted != 0 else { return register(socket) }
            guard let multi else { return }
            var what: Int32 = 0
            if mask & EPOLLIN.rawValue != 0 { what |= CURL_CSELECT_IN }
            if mask & EPOLLOUT.rawValue != 0 { what |= CURL_CSELECT_OUT }
            if isEnding { what |= CURL_CSELECT_ERR }
            var running: Int32 = 0
            curl_multi_socket_action(multi, socket, what, &running)
        }

        func wait(until deadline: UInt64) -> Bool {
            let milliseconds = LoopTurn.milliseconds(until: min(deadline, timerDeadline))
            readyCount = max(0, Int(epoll_wait(poller, events, Int32(EpollDriver.capacity), milliseconds)))
            return readyCount > 0
        }

        func wake() {
            isOpen.withLock { isOpen in
                var one: UInt64 = 1
                if isOpen { _ = write(wakeDescriptor, &one, MemoryLayout<UInt64>.size) }
            }
        }

        func close() {
            isOpen.withLock { isOpen in
                guard isOpen else { return }
                isOpen = false
                if poller >= 0 { _ = Glibc.close(poller) }
                if wakeDescriptor >= 0 { _ = Glibc.close(wakeDescriptor) }
            }
        }

        func didOpen(_ socket: curl_socket_t) {
            reserve(socket)
            registrations[Int(socket)] = Registration(isConnection: true)
        }

        func willClose(_ socket: curl_socket_t) {
            // Closing the descriptor removes it from epoll.
            if registrations.indices.contains(Int(socket)) { registrations[Int(socket)] = Registration() }
        }

        func watch(_ socket: curl_socket_t, for channel: ByteChannel) {
            guard socket >= 0 else { return }
            reserve(socket)
            registrations[Int(socket)].channel = Unmanaged.passUnretained(channel)
            registrations[Int(socket)].wanted =
                EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
            register(socket)
        }

        private func want(_ what: Int32, of socket: curl_socket_t) {
            guard socket >= 0 else { return }
            reserve(socket)
            var mask: UInt32 = 0
            if what != CURL_POLL_REMOVE {
                if what & CURL_POLL_IN != 0 { mask |= EPOLLIN.rawValue }
                if what & CURL_POLL_OUT != 0 { mask |= EPOLLOUT.rawValue }
            }
            guard registrations[Int(socket)].channel == nil else { return }
            registrations[Int(socket)].wanted = mask
            if mask != 0 || !registrations[Int(socket)].isConnection { register(socket) }
        }

        /// Updates the kernel's registration of a socket to match libcurl's interest.
        private func register(_ socket: curl_socket_t) {
            guard registrations.indices.contains(Int(socket)) else { return }
            let registration = registrations[Int(socket)]
            guard registration.registered != registration.wanted else { return }
            var event = epoll_event(events: registration.wanted, data: epoll_data(fd: socket))
            if registration.wanted == 0 {
                epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event)
            } else if registration.registered == 0 {
                if epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) != 0, errno == EEXIST {
                    epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event)
                }
            } else if epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event) != 0, errno == ENOENT {
                epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event)
            }
            registrations[Int(socket)].registered = registration.wanted
        }

        private func reserve(_ socket: curl_socket_t) {
            let count = Int(socket) + 1
            guard count > registrations.count else { return }
            let larger = UnsafeMutableBufferPointer<Registration>.allocate(
                capacity: max(count, 2 * registrations.count, 64)
            )
            larger.initialize(repeating: Registration())
            for index in registrations.indices { larger[index] = registrations[index] }
            registrations.deallocate()
            registrations = larger
        }
    }

    extension EpollDriver {
        private func setTimer(_ milliseconds: Int) {
            // The clock is read again, because a timer that fires early would be lost: libcurl reports only changes.
            timerDeadline =
                milliseconds < 0 ? .max : milliseconds == 0 ? 0 : LoopTurn.read() &+ UInt64(milliseconds) &* 1_000_000
        }

        private func expire(now: UInt64) {
            guard let multi, timerDeadline <= now else { return }
            timerDeadline = .max
            var running: Int32 = 0
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
        }
    }
#endif
