import HeliumWire
import Testing

@Suite("Fields that frame a body")
struct BodyFramingTests {
    private static let number = "the Content-Length is not a valid number"
    private static let two = "the response has two different values of Content-Length"
    private static let empty = "the Content-Length is empty"
    private static let coding = "the body has a transfer coding that was not requested"

    @Test(
        "the first error in the fields is the one that is reported",
        arguments: [
            (["Content-Length: x", "Content-Length:"], number), (["Content-Length: \t", "Content-Length: x"], empty),
            (["Content-Length: ,21"], number), (["Content-Length: 21,"], number), (["Content-Length: 2, ,2"], number),
            (["Content-Length: ,"], number), (["Transfer-Encoding: identity"], coding),
            (["Transfer-Encoding: chunked", "Transfer-Encoding: Identity"], coding),
            (["Transfer-Encoding: , chunked,"], nil), (["Transfer-Encoding:"], coding),
            (["Transfer-Encoding: ,"], coding),
            (["content-length: 1, 2, x"], two), (["Transfer-Encoding: gzip", "Content-Length: 1, 2"], coding),
            (["Content-Length: 9223372036854775808", "Transfer-Encoding: br"], number),
            (["Content-Length: 1", "CONTENT-LENGTH: 1, 1", "Transfer-Encoding: chunked"], nil),
        ] as [([String], String?)]
    )
    func firstFault(lines: [String], fault: String?) {
        var framing = BodyFraming()
        for line in lines { Array("\(line)\r\n".utf8).withUnsafeBytes { framing.note($0) } }
        #expect(framing.fault == fault)
    }
}
