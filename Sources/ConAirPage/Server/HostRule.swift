internal import Foundation

/// The rule for the host names that requests may use.
///
/// A malicious web page may let its own name resolve to a loopback address (DNS rebinding), and then read the responses
/// of a server on this machine. Its requests have its own name in `Host`.
struct HostRule: Hashable, Sendable {
    /// The accepted names; `nil` for all.
    private let names: Set<String>?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - host: The configured address or name.
    ///   - boundAddress: The IP address that the server listens on, which determines the rule; `nil` if it does not
    ///     listen.
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
        // Clients omit the default port of the scheme.
        if port == 80 { names.formUnion(hosts.map { $0.lowercased() }) }
        self.names = names
    }

    /// Returns whether requests with this `Host` are accepted.
    func admits(_ host: String) -> Bool { names?.contains(host.lowercased()) ?? true }

    /// An IP address of either version.
    private struct Address {
        /// The 4 or 16 bytes of the address.
        private let bytes: [UInt8]

        /// Parses an address.
        ///
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

        /// The IPv4 address of an address within `::ffff:0:0/96`; `nil` for other addresses.
        private var mapped: [UInt8]? {
            bytes.count == 16 && bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
                ? Array(bytes.suffix(4)) : nil
        }

        /// Whether the address can only be reached from its own machine.
        var isLoopback: Bool {
            if let first = (bytes.count == 4 ? bytes : mapped)?.first { return first == 127 }
            return bytes == [UInt8](repeating: 0, count: 15) + [1]
        }

        /// The forms of the address in URLs.
        var urlHosts: [String] {
            func dotted(_ bytes: [UInt8]) -> String { bytes.map { "\($0)" }.joined(separator: ".") }
            if bytes.count == 4 { return [dotted(bytes)] }
            guard let mapped else { return [] }
            func group(_ index: Int) -> String {
                String(Int(mapped[index]) << 8 | Int(mapped[index + 1]), radix: 16)
            }
            // Browsers use the second form.
            return ["[::ffff:\(dotted(mapped))]", "[::ffff:\(group(0)):\(group(2))]"]
        }
    }
}
