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
        "an address at which a cloud serves the metadata of a machine is not public, also within one of IPv6",
        arguments: [
            "168.63.129.16", "169.254.169.254", "169.254.170.2", "169.254.0.23", "169.254.42.42", "100.100.100.200",
            "192.0.0.192", "fd00:ec2::254", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "fd00:42::42",
            "::ffff:168.63.129.16", "::ffff:169.254.169.254", "::ffff:100.100.100.200", "::ffff:0:169.254.169.254",
            "::168.63.129.16", "64:ff9b::168.63.129.16", "64:ff9b::169.254.169.254", "64:ff9b:1::168.63.129.16",
            "2002:a83f:8110::1", "2002:a9fe:a9fe::1", "2001:0:a9fe:a9fe::1", "2001:0:808:808::5601:5601",
        ]
    )
    func metadata(_ text: String) throws {
        #expect(!PublicAddress.contains(try bytes(text)))
    }

    @Test(
        "an address of the Internet is public, also within one of IPv6",
        arguments: [
            "1.1.1.1", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "198.17.0.1", "198.20.0.1", "223.255.255.255", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
            "168.63.129.15", "168.63.129.17", "2002:a83f:8111::1", "2001:4860:4860::8888", "2001:200::1",
            "2002:808:808::", "2606:4700::1", "3ffe::1",
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
