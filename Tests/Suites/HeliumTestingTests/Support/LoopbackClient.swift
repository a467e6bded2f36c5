import Foundation

/// A client that sends bytes, whatever the server responds.
enum LoopbackClient {
    /// Connects to a port of 127.0.0.1, sends bytes and then zeros, and waits for the end of the connection.
    ///
    /// - Throws: `POSIXError` if the connection ends before.
    static func send(_ bytes: Data, thenZeros count: Int, toPort port: Int) async throws {
        // On a thread of its own, because sending blocks.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try sendBlocking(bytes, count, port) })
            }
        }
    }

    private static func sendBlocking(_ bytes: Data, _ zeros: Int, _ port: Int) throws {
        #if os(Linux)
            let (type, flags) = (Int32(SOCK_STREAM.rawValue), Int32(MSG_NOSIGNAL))
        #else
            let (type, flags) = (SOCK_STREAM, Int32(0))
        #endif
        let descriptor = socket(AF_INET, type, 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let chunk = [UInt8](repeating: 0, count: 1 << 20)
        var rest = zeros
        try sendAll(Array(bytes)[...], descriptor, flags)
        while rest > 0 {
            try sendAll(chunk.prefix(rest), descriptor, flags)
            rest -= min(rest, chunk.count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        // A connection that is closed with unread bytes is reset, and what was sent may be lost.
        var unread = [UInt8](repeating: 0, count: 4096)
        while recv(descriptor, &unread, unread.count, 0) > 0 {}
    }

    private static func sendAll(_ bytes: ArraySlice<UInt8>, _ descriptor: Int32, _ flags: Int32) throws {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            guard sent > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(sent)
        }
    }
}
