import Foundation
import Synchronization

/// Ports for servers that stop and start again, or that must have stopped.
///
/// A port that the system has chosen is free again after its server, and may be chosen for another program. The system does
/// not choose from these ports.
package enum LastingPort {
    private static let range = range(outside: systemRange)
    private static let lastNumber = Mutex(0)

    /// Returns a port of 127.0.0.1 on which no process listens, another one each time.
    ///
    /// - Throws: `POSIXError` if all are in use.
    package static func next() throws -> Int {
        for _ in range {
            let number = lastNumber.withLock { number in
                number += 1
                return number
            }
            // Processes beside each other begin at different ports.
            let port = range.lowerBound + (Int(getpid()) * 61 + number) % range.count
            if isFree(port) { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// Returns the ports to use if the system chooses from `system`: those from 10,000 to 30,000 where possible.
    package static func range(outside system: ClosedRange<Int>) -> Range<Int> {
        let candidates = [
            (10_000, min(30_000, system.lowerBound)), (system.upperBound + 1, 65_536), (1_024, system.lowerBound),
        ]
        let usable = candidates.first { $1 - $0 >= 1_000 } ?? (10_000, 30_000)
        return usable.0..<usable.1
    }

    /// The ports from which the system chooses.
    private static var systemRange: ClosedRange<Int> {
        let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8)
        let bounds = text?.split(whereSeparator: \.isWhitespace).compactMap { Int($0) } ?? []
        // Other systems choose from the dynamic ports of IANA (RFC 6335 §6).
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return 49_152...65_535 }
        return bounds[0]...bounds[1]
    }

    private static func isFree(_ port: Int) -> Bool {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
