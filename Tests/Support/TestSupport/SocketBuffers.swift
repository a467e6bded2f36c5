import Foundation

/// The bytes of a connection that the system buffers, on both sides together.
package enum SocketBuffers {
    /// The most bytes that a peer can write while the other side does not read; a multiple of 1 MiB.
    ///
    /// The system lets the buffer of a receiver grow with what it has read, so that the number differs from run to run: 6 to 18 MiB
    /// were seen after 2 MiB had been read. Only the limit is known.
    package static let limit: Int = {
        #if os(Linux)
            let sizes = ["rmem", "wmem"].map { name in
                let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_\(name)", encoding: .utf8)
                return text?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 32 << 20
            }
            return (sizes.reduce(0, +) >> 20 + 1) << 20
        #else
            return 32 << 20
        #endif
    }()
}
