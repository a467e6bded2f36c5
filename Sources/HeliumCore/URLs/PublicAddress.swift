/// The IP addresses that are reachable from the whole Internet (RFC 6890 and the IANA registries of special-purpose
/// addresses).
///
/// Clouds serve the metadata and credentials of a machine at addresses that only it can reach. All of them are in ranges
/// of the registries, except one:
///
/// | Cloud | Address | Range |
/// | --- | --- | --- |
/// | AWS, Google, Azure, Oracle, DigitalOcean, OpenStack | 169.254.169.254 | link-local (RFC 3927) |
/// | AWS (containers), Tencent, Scaleway | 169.254.170.2, 169.254.0.23, 169.254.42.42 | link-local |
/// | Alibaba | 100.100.100.200 | shared (RFC 6598) |
/// | Oracle (classic) | 192.0.0.192 | protocol assignments (RFC 6890) |
/// | AWS, Google, Oracle, Scaleway | fd00:ec2::254, fd20:ce::254, fd00:c1::a9fe:a9fe, fd00:42::42 | unique local (RFC 4193) |
/// | Azure | 168.63.129.16 | none: registered to Microsoft, and reachable only inside of Azure |
///
/// Azure's is described at <https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16>.
package enum PublicAddress {
    /// Returns whether an address of 4 or 16 bytes in network order is public.
    ///
    /// An IPv6 address that holds one of IPv4 (mapped, NAT64 with the well-known prefix, 6to4) is public if that one is.
    /// All others outside of 2000::/3 are local, multicast or reserved, among them those of NAT64 with a local prefix
    /// (64:ff9b:1::/48) and IPv4-translated ones (::ffff:0:0:0/96).
    package static func contains(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        switch bytes.count {
        case 4: return isPublic(ofFour: bytes)
        case 16: return isPublic(ofSixteen: bytes)
        default: return false
        }
    }

    /// Azure's virtual address of its platform.
    private static let wireServer: [UInt8] = [168, 63, 129, 16]

    private static func isPublic(ofFour bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1], bytes[2]) {
        // This network, private use, loopback, multicast, reserved and broadcast.
        case (0, _, _), (10, _, _), (127, _, _), (224..., _, _): false
        // Shared by providers, link-local, private use.
        case (100, 64...127, _), (169, 254, _), (172, 16...31, _), (192, 168, _): false
        // Protocol assignments, documentation, relays of 6to4, benchmarks.
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113): false
        default: bytes != wireServer
        }
    }

    private static func isPublic(ofSixteen bytes: [UInt8]) -> Bool {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        let translated: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        if bytes.starts(with: mapped) || bytes.starts(with: translated) { return isPublic(ofFour: Array(bytes[12...])) }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        // 6to4.
        case (0x20, 0x02, _, _): return isPublic(ofFour: Array(bytes[2..<6]))
        // Protocol assignments, of which Teredo is one, and documentation.
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8), (0x3F, 0xFF, 0...0x0F, _): return false
        case (0x20...0x3F, _, _, _): return true
        default: return false
        }
    }
}
