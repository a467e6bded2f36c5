/// The shares of a limit by client address, so that one client cannot use all of it.
package struct AddressShare: Sendable {
    /// The maximum for one address.
    package let maximum: Int
    /// Whether the share is less than the limit. Otherwise the limit itself is sufficient.
    private let isPart: Bool
    private var counts: [String: Int] = [:]

    /// Creates a share.
    ///
    /// - Parameters:
    ///   - maximum: The maximum for one address; `nil` is `part` of `total`, rounded up.
    ///   - total: The limit that is shared.
    ///   - part: The part for one address, more than 0 and at most 1 (``ServerLimits/sharePerAddress``).
    package init(_ maximum: Int? = nil, of total: Int, part: Double) {
        self.maximum = maximum ?? min(total, Int(exactly: (Double(total) * part).rounded(.up)) ?? total)
        isPart = self.maximum < total
    }

    /// Returns whether a client has used its share. Clients without a known address have no share.
    package func isUsed(by client: String) -> Bool {
        isPart && !client.isEmpty && counts[client, default: 0] >= maximum
    }

    /// Counts one more for a client.
    package mutating func add(_ client: String) { if !client.isEmpty { counts[client, default: 0] += 1 } }

    /// Counts one less for a client.
    package mutating func remove(_ client: String) {
        guard let count = counts[client] else { return }
        counts[client] = count > 1 ? count - 1 : nil
    }

    /// Returns the client that an address belongs to: an IPv4 address, or the first 64 bits of an IPv6 address, of which
    /// one client usually has all. An IPv4-mapped IPv6 address counts as IPv4. Empty if the address is not known.
    package static func client(of address: String) -> String {
        guard let bytes = AddressBlock.bytes(of: address) else { return address }
        return bytes.prefix(bytes.count == 4 ? 4 : 8).map { String($0) }.joined(separator: bytes.count == 4 ? "." : ":")
    }
}
