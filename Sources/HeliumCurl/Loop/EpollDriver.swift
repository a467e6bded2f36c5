internal import Synchronization

#if os(Linux)
    import CLibcurl
    import Glibc
    import HeliumCore

    /// A driver that waits with `epoll` and lets libcurl handle the sockets that are ready. The cost of a turn does not
    /// depend on the number of open transfers.
    ///
    /// Sockets of connections stay registered between transfers. libcurl removes and adds its interest for every
    /// request on a reused connection, which would cost two system calls each. An event that libcurl is not interested
    /// in ends the registration.
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
        }

        private static let capacity = 128

        private let multi: UnsafeMutableRawPointer
        private let poller: Int32
        private let wakeDescriptor: Int32
        private let isOpen = Guarded(true)
        /// The registrations by descriptor. In an array, each change would be checked for overlapping accesses.
        private var registrations = UnsafeMutableBufferPointer<Registration>(start: nil, count: 0)
        private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
        private var readyCount = 0
        private var timerDeadline = UInt64.max

        /// Creates a driver. Returns `nil` if the process has no descriptors left.
        init?(multi: UnsafeMutableRawPointer) {
            self.multi = multi
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
            var running: Int32 = 0
            for index in 0..<readyCount {
                let socket = events[index].data.fd
                let mask = events[index].events
                if socket == wakeDescriptor { continue }
                guard registrations.indices.contains(Int(socket)), registrations[Int(socket)].wanted != 0 else {
                    register(socket)
                    continue
                }
                var what: Int32 = 0
                if mask & EPOLLIN.rawValue != 0 { what |= CURL_CSELECT_IN }
                if mask & EPOLLOUT.rawValue != 0 { what |= CURL_CSELECT_OUT }
                if mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { what |= CURL_CSELECT_ERR }
                curl_multi_socket_action(multi, socket, what, &running)
            }
            readyCount = 0
            if timerDeadline <= now {
                timerDeadline = .max
                curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running)
            }
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

        private func want(_ what: Int32, of socket: curl_socket_t) {
            guard socket >= 0 else { return }
            reserve(socket)
            var mask: UInt32 = 0
            if what != CURL_POLL_REMOVE {
                if what & CURL_POLL_IN != 0 { mask |= EPOLLIN.rawValue }
                if what & CURL_POLL_OUT != 0 { mask |= EPOLLOUT.rawValue }
            }
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

        private func setTimer(_ milliseconds: Int) {
            // The clock is read again, because a timer that fires early would be lost: libcurl reports only changes.
            timerDeadline =
                milliseconds < 0 ? .max : milliseconds == 0 ? 0 : LoopTurn.read() &+ UInt64(milliseconds) &* 1_000_000
        }
    }
#endif
