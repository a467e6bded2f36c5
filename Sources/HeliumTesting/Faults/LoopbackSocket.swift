import Foundation

/// A TCP socket bound to a free port of a loopback address.
struct LoopbackSocket {
    let descriptor: Int32
    let port: Int

    init(family: FaultServer.Family) throws {
        #if os(Linux)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, type, 0)
        guard descriptor >= 0 else { throw LoopbackSocket.lastError }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do {
            port = family == .ipv4 ? try LoopbackSocket.bind4(descriptor) : try LoopbackSocket.bind6(descriptor)
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    func listen() throws {
        #if canImport(Glibc)
            let result = Glibc.listen(descriptor, 512)
        #else
            let result = Darwin.listen(descriptor, 512)
        #endif
        if result != 0 {
            let error = LoopbackSocket.lastError
            _ = close(descriptor)
            throw error
        }
    }

    private static func bind4(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try bindAndAsk(descriptor, &address)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func bind6(_ descriptor: Int32) throws -> Int {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
        try bindAndAsk(descriptor, &address)
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    /// Binds the socket to the address and writes the port that the system has chosen into the address.
    private static func bindAndAsk<Address>(_ descriptor: Int32, _ address: inout Address) throws {
        var length = socklen_t(MemoryLayout<Address>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 ? getsockname(descriptor, pointer, &length) : -1
            }
        }
        guard result == 0 else { throw lastError }
    }

    private static var lastError: any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
