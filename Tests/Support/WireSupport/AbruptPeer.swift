import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A server that speaks first: it sends bytes in the moment in which it accepts a connection, and ends the connection at once.
///
/// It uses no event loop, but a thread that blocks, so that nothing comes between the three calls of the system.
package final class AbruptPeer: Sendable {
    /// The port on 127.0.0.1 that the peer listens on.
    package let port: Int
    private let listener: Int32

    private init(listener: Int32, port: Int) {
        self.listener = listener
        self.port = port
    }

    /// An error of the system while the peer begins to listen.
    package struct CannotListen: Error {
        let code: Int32
    }

    /// Runs `body` with a peer, and ends both.
    ///
    /// - Parameter greeting: Returns the bytes for the connection with this number, from 0.
    package static func run<Value>(
        greeting: @escaping @Sendable (Int) -> [UInt8],
        _ body: (AbruptPeer) async throws -> Value
    ) async throws -> Value {
        let peer = try listen()
        // A shutdown, in place of a close, ends a call of accept that another thread waits in.
        defer { shutdown(peer.listener, Int32(SHUT_RDWR)) }
        Thread.detachNewThread { peer.serve(greeting) }
        return try await body(peer)
    }

    private static func listen() throws -> AbruptPeer {
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && Self.begin(listener)
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard result else {
            let code = errno
            close(listener)
            throw CannotListen(code: code)
        }
        return AbruptPeer(listener: listener, port: Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func begin(_ listener: Int32) -> Bool {
        #if canImport(Darwin)
            Darwin.listen(listener, 128) == 0
        #elseif canImport(Musl)
            Musl.listen(listener, 128) == 0
        #else
            Glibc.listen(listener, 128) == 0
        #endif
    }

    private func serve(_ greeting: (Int) -> [UInt8]) {
        var number = 0
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let bytes = greeting(number)
            _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
            close(connection)
            number += 1
        }
        close(listener)
    }
}
