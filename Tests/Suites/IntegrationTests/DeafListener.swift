import Foundation

/// A listener that accepts nothing and whose queue is full: a connection to it is neither made nor refused.
enum DeafListener {
    static func run<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (_ url: String) async throws -> Value
    ) async throws -> Value {
        var descriptors = [try makeSocket()]
        defer { for descriptor in descriptors { close(descriptor) } }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = descriptors[0]
        try check(withGeneric(&address) { bind(listener, $0, $1) })
        try check(listen(listener, 1))
        try check(
            withGeneric(&address) { pointer, size in
                var size = size
                return getsockname(listener, pointer, &size)
            }
        )
        for _ in 0..<8 {
            let filler = try makeSocket()
            descriptors.append(filler)
            _ = fcntl(filler, F_SETFL, O_NONBLOCK)
            _ = withGeneric(&address) { connect(filler, $0, $1) }
        }
        return try await body("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
    }

    private static func makeSocket() throws -> Int32 {
        #if os(Linux)
            let new = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let new = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        try check(new)
        return new
    }

    private static func withGeneric(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func check(_ result: Int32) throws {
        if result < 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
