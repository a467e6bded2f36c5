internal import Foundation

/// Blocks of addresses in CIDR notation (RFC 4632, RFC 4291), for the address rules of static keys
/// (Docs/Protocols/Middleware.md §1.7).
package enum AddressBlock {
    /// Returns whether `address` is in one of `blocks`. A malformed block contains no address.
    package static func contains(_ address: String, in blocks: [String]) -> Bool {
        guard let address = bytes(of: address) else { return false }
        return blocks.contains { parsed($0)?.contains(address) ?? false }
    }

    /// Returns whether all addresses of a block, or an address, are in another block. A malformed block neither contains a
    /// block nor is in one.
    package static func contains(block inner: String, in outer: String) -> Bool {
        guard let inner = parsed(inner), let outer = parsed(outer) else { return false }
        return inner.length >= outer.length && outer.contains(inner.base)
    }

    private struct Parsed {
        let base: [UInt8]
        /// The number of leading bits that addresses of the block have in common.
        let length: Int

        func contains(_ address: [UInt8]) -> Bool {
            guard base.count == address.count else { return false }
            return zip(base, address).enumerated().allSatisfy { index, pair in
                let bits = min(8, max(0, length - index * 8))
                let mask = bits == 0 ? 0 : UInt8.max << (8 - bits)
                return pair.0 & mask == pair.1 & mask
            }
        }
    }

    private static func parsed(_ block: String) -> Parsed? {
        let parts = block.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let base = bytes(of: String(first)) else { return nil }
        let length = parts.count == 2 ? Int(parts[1]) : base.count * 8
        guard let length, (0...base.count * 8).contains(length) else { return nil }
        return Parsed(base: base, length: length)
    }

    /// Returns the 4 or 16 bytes of an address. An IPv4-mapped IPv6 address (`::ffff:1.2.3.4`) counts as IPv4.
    package static func bytes(of address: String) -> [UInt8]? {
        // `in_addr` is not used, because the module that declares it depends on what else is compiled.
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &four) == 1 { return four }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return nil }
        let mapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return mapped ? Array(bytes[12...]) : bytes
    }
}
