import Foundation

/// The bytes that a connection holds between a peer that writes and one that does not read.
package enum SocketBuffers {
    /// A number of bytes that a peer cannot write whole while the other side does not read; a multiple of 1 MiB.
    ///
    /// The system lets the buffer of a receiver grow with what it has read, so that what it holds differs from run to run: 6 to 18
    /// MiB were seen after 2 MiB had been read. Only its limit is known. 16 MiB are for what the programs themselves hold, and one
    /// for rounding up.
    package static let overflowingSize: Int = {
        #if os(Linux)
            let sizes = ["rmem", "wmem"].map { name in
                let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_\(name)", encoding: .utf8)
                return text?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 32 << 20
            }
            return (sizes.reduce(0, +) >> 20 + 17) << 20
        #else
            return 48 << 20
        #endif
    }()
}
