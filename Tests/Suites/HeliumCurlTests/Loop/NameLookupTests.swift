#if os(Linux)
    import Foundation
    import HeliumCore
    import HeliumTesting
    import TestSupport
    import Testing

    @testable import HeliumCurl

    /// Needs root: a thread with a mount namespace of its own sees a resolver that never answers, and so does all it starts.
    @Suite("Name look-ups", .serialized, .enabled(if: SilentResolver.isPossible), .timeLimit(.minutes(5)))
    struct NameLookupTests {
        @Test("a name look-up of a cancelled request delays nothing, also not the shutdown", arguments: drivers)
        func abandonsLookup(driver: CurlTransport.Configuration.Driver) async throws {
            try await FaultServer.run({ _ in [.answer(body: "ok")] }) { server in
                try await withTransport(driver) { transport in
                    let resolver = try SilentResolver()
                    defer { resolver.close() }
                    try await resolver.startLoop(of: transport)
                    let fast = try TransportRequest(to: server.url)
                    let slow = try TransportRequest(to: "http://slow.example.test/")
                    let start = ContinuousClock.now
                    let task = Task { try await transport.failure(slow) }
                    try await eventually { resolver.hasQuestion }
                    task.cancel()
                    let failure = try await task.value
                    #expect(failure.kind == .cancelled && failure.delivery == .notSent, "\(failure)")
                    #expect(try await transport.execute(fast).text == "ok")
                    await transport.shutdown()
                    // Much sooner than the resolver gives up.
                    #expect(ContinuousClock.now - start < .seconds(90))
                }
            }
        }

        @Test("a slow name look-up counts as connecting", arguments: drivers)
        func countsAsConnecting(driver: CurlTransport.Configuration.Driver) async throws {
            try await withTransport(driver) { transport in
                let resolver = try SilentResolver()
                defer { resolver.close() }
                try await resolver.startLoop(of: transport)
                let request = try TransportRequest(to: "http://slow.example.test/").with {
                    $0.timeouts.connect = .milliseconds(1400)
                    $0.timeouts.queue = .milliseconds(1200)
                }
                let failure = try await transport.failure(request)
                #expect(
                    failure.kind == .timedOut && failure.phase == .connect && failure.delivery == .notSent,
                    "\(failure)"
                )
            }
        }
    }

    /// A name server on a loopback address that takes questions and says nothing.
    private struct SilentResolver {
        /// An address of this process alone: 127.77.0.0 and the lower half of its identifier.
        private static let address = 0x7F4D_0000 | UInt32(getpid()) & 0xFFFF

        private let descriptor: Int32
        private let file: String

        init() throws {
            let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            self.descriptor = descriptor
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(53).bigEndian
            address.sin_addr.s_addr = Self.address.bigEndian
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            file = FileManager.default.temporaryDirectory.appending(path: "resolv-\(UUID()).conf").path
            guard result == 0 else { throw POSIXError(.EADDRINUSE) }
            let bytes = [24, 16, 8, 0].map { "\(Self.address >> $0 & 0xFF)" }
            let text = "nameserver \(bytes.joined(separator: "."))\noptions timeout:30 attempts:5\n"
            try Data(text.utf8).write(to: URL(filePath: file))
        }

        /// Whether a question has arrived.
        var hasQuestion: Bool {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 1
        }

        func close() {
            _ = Foundation.close(descriptor)
            try? FileManager.default.removeItem(atPath: file)
        }

        /// Starts the transport's loop from a thread that sees the silent resolver.
        func startLoop(of transport: CurlTransport) async throws {
            let file = file
            let isStarted = await Self.onThreadOfItsOwn {
                guard Self.enterNamespace(), Self.mount(file, over: "/etc/resolv.conf") else { return false }
                guard let slot = try? transport.loop.acquire() else { return false }
                transport.loop.release(slot)
                return true
            }
            guard isStarted else { throw POSIXError(.EPERM) }
        }

        static let isPossible: Bool = {
            guard geteuid() == 0 else { return false }
            let semaphore = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var isAllowed = false  // ordered by the semaphore
            let thread = Thread {
                isAllowed = enterNamespace()
                semaphore.signal()
            }
            thread.start()
            semaphore.wait()
            return isAllowed
        }()

        private static func onThreadOfItsOwn(_ body: @escaping @Sendable () -> Bool) async -> Bool {
            await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: body()) }.start()
            }
        }

        private static func enterNamespace() -> Bool {
            typealias Unshare = @convention(c) (CInt) -> CInt
            guard let symbol = dlsym(nil, "unshare") else { return false }
            let newNamespace: CInt = 0x0002_0000
            guard unsafeBitCast(symbol, to: Unshare.self)(newNamespace) == 0 else { return false }
            let recursivelyPrivate: UInt = 0x4000 | 0x4_0000
            return mount(nil, "/", recursivelyPrivate)
        }

        private static func mount(_ source: String, over target: String) -> Bool { mount(source, target, 0x1000) }

        private static func mount(_ source: String?, _ target: String, _ flags: UInt) -> Bool {
            typealias Mount =
                @convention(c) (
                    UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
                ) -> CInt
            guard let symbol = dlsym(nil, "mount") else { return false }
            return unsafeBitCast(symbol, to: Mount.self)(source ?? "none", target, nil, flags, nil) == 0
        }
    }
#endif
