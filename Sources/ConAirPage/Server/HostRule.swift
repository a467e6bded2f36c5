internal import Foundation

/// Which names of the server a request may use.
///
/// A page in a browser may have its own name resolve to a loopback address (DNS rebinding), and then read what a server on
/// this machine returns. Its requests carry its name in `Host`.
struct HostRule: Hashable, Sendable {
    /// The names that are answered; `nil` for all.
    private let names: Set<String>?

    /// - Parameters:
    ///   - host: The configured address or name.
    ///   - boundAddress: The IP address that the server listens on, which decides. `nil` if nothing listens.
    ///   - port: The port that it listens on.
    init(host: String, boundAddress: String?, port: Int) {
        let address = boundAddress.flatMap { Address($0) } ?? Address(host)
        guard address?.isLoopback ?? (host.lowercased() == "localhost") else {
            names = nil
            return
        }
        var hosts = ["127.0.0.1", "[::1]", "localhost", host.contains(":") ? "[\(host)]" : host]
        hosts += address?.urlHosts ?? []
        var names = Set(hosts.map { "\($0.lowercased()):\(port)" })
        // Clients leave out the port that their scheme has without one.
        if port == 80 { names.formUnion(hosts.map { $0.lowercased() }) }
        self.names = names
    }

    /// Whether a request with this `Host` is answered.
    func admits(_ host: String) -> Bool { names?.contains(host.lowercased()) ?? true }

    /// An IP address of either version.
    private struct Address {
        /// 4 or 16 bytes.
        private let bytes: [UInt8]

        /// - Parameter text: An address as text, without brackets.
        init?(_ text: String) {
            // A zone, as in `fe80::1%eth0`, is not part of the address.
            let text = String(text.prefix { $0 != "%" })
            for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
                var bytes = [UInt8](repeating: 0, count: count)
                if inet_pton(family, text, &bytes) == 1 {
                    self.bytes = bytes
                    return
                }
            }
            return nil
        }

        /// The IPv4 address within `::ffff:0:0/96`.
        private var mapped: [UInt8]? {
            bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
                ? Array(bytes.suffix(4)) : nil
        }

        /// Whether the address is reachable from its own machine only.
        var isLoopback: Bool {
            if let first = (bytes.count == 4 ? bytes : mapped)?.first { return first == 127 }
            return bytes == [UInt8](repeating: 0, count: 15) + [1]
        }

        /// The address as it stands in URLs.
        var urlHosts: [String] {
            func dotted(_ bytes: [UInt8]) -> String { bytes.map { "\($0)" }.joined(separator: ".") }
            if bytes.count == 4 { return [dotted(bytes)] }
            guard let mapped else { return [] }
            func group(_ index: Int) -> String {
                String(Int(mapped[index]) << 8 | Int(mapped[index + 1]), radix: 16)
            }
            // The second form is that of browsers.
            return ["[::ffff:\(dotted(mapped))]", "[::ffff:\(group(0)):\(group(2))]"]
        }
    }
}
