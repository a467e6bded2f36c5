import Foundation
import HeliumCore
import Testing

@Suite("Public addresses")
struct PublicAddressTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        throw CocoaError(.formatting)
    }

    @Test(
        "an address that is not reachable from the whole Internet is not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.255",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1",
            "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
            "100::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::", "2002:a00:1::", "3fff::1", "4000::1",
            "fc00::1", "fd12::1", "fe80::1", "fec0::1", "ff02::1",
        ]
    )
    func local(_ text: String) throws {
        #expect(!PublicAddress.contains(try bytes(text)))
    }

    @Test(
        "an address of the Internet is public, also within one of IPv6",
        arguments: [
            "1.1.1.1", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "198.17.0.1", "198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
            "2001:4860:4860::8888", "2001:200::1", "2002:808:808::", "2606:4700::1", "3ffe::1",
        ]
    )
    func global(_ text: String) throws {
        #expect(PublicAddress.contains(try bytes(text)))
    }

    @Test("bytes of another length are no public address", arguments: [0, 1, 5, 15, 17])
    func lengths(_ count: Int) {
        #expect(!PublicAddress.contains([UInt8](repeating: 8, count: count)))
    }
}
