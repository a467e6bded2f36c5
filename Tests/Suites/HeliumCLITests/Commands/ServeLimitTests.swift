#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @Suite("helium serve without descriptors", .timeLimit(.minutes(2)))
    struct ServeLimitTests {
        @Test(
            "helium serve without descriptors delays connections on each port without using processor time",
            .tags(.alone)
        )
        func exhausted() async throws {
            let limit = 120
            try await RunningServe.withProcess(descriptors: limit) { server in
                let identifier = try #require(server.processIdentifier)
                let port = try #require(URL(string: server.ready.http)?.port)
                let ownPort = try #require(server.ready.cosm.tcp.split(separator: ":").last.flatMap { Int($0) })
                // More than it can accept. The system queues the rest.
                var clients = try (0..<limit + 20).map { _ in try Self.connect(to: port) }
                defer { for client in clients { close(client) } }
                try await eventually { Self.descriptorCount(identifier) >= limit }
                clients += try (0..<5).map { _ in try Self.connect(to: ownPort) }
                // Without a pause after each failure it takes all of a core, again and again. A slow machine still sets up
                // the connections that were accepted.
                var spent: [Duration] = []
                repeat {
                    let before = try Self.processorTime(identifier)
                    try await Task.sleep(for: .milliseconds(1500))
                    spent.append(try Self.processorTime(identifier) - before)
                    #expect(Self.descriptorCount(identifier) >= limit)
                } while spent.count < 4 && spent.last.map { $0 >= .milliseconds(500) } == true
                #expect(spent.last.map { $0 < .milliseconds(500) } == true, "\(spent)")
            }
        }

        private static func connect(to port: Int) throws -> Int32 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Foundation.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard client >= 0, status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            return client
        }

        private static func descriptorCount(_ identifier: Int32) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count) ?? 0
        }

        /// The processor time that a process has used, in user and system mode.
        private static func processorTime(_ identifier: Int32) throws -> Duration {
            let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
            // The name of the program is in brackets and may have blanks.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            let ticks = try fields[12...13].map { try #require(Int($0)) }.reduce(0, +)
            return .seconds(1) / sysconf(Int32(_SC_CLK_TCK)) * ticks
        }
    }
#endif
