import Foundation
import Synchronization

/// Ports for servers that stop and start again, or that must have stopped.
///
/// A port that the system has chosen is free again after its server, and may be chosen for another program. These ports are
/// below those that systems choose from.
package enum LastingPort {
    private static let range = 10_000..<30_000
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
