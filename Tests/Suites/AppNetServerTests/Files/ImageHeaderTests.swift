import HeliumServer
import Testing

@testable import AppNetServer
@testable import HeliumServerKit

@Suite("The size of an image from its header", .timeLimit(.minutes(5)))
struct ImageHeaderTests {
    /// A kind of image, its type, and the first bytes of one of 300 × 200 pixels.
    static let images: [(type: String, bytes: [UInt8])] = [
        ("image/png", SampleImages.png(width: 300, height: 200)),
        ("image/gif", Array("GIF89a".utf8) + [0x2C, 0x01, 0xC8, 0x00]),
        (
            "image/jpeg",
            [
                0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x04, 0x00, 0x00, 0xFF, 0xFF, 0xC0, 0x00, 0x11, 0x08, 0x00, 0xC8, 0x01,
                0x2C,
            ]
        ),
        (
            "image/webp",
            Array("RIFF\0\0\0\0WEBPVP8 \0\0\0\0".utf8) + [0, 0, 0, 0x9D, 0x01, 0x2A, 0x2C, 0x01, 0xC8, 0x00]
        ),
        ("image/webp", Array("RIFF\0\0\0\0WEBPVP8L\0\0\0\0".utf8) + [0x2F, 0x2B, 0xC1, 0x31, 0x00]),
        (
            "image/webp",
            Array("RIFF\0\0\0\0WEBPVP8X\0\0\0\0".utf8) + [0, 0, 0, 0, 0x2B, 0x01, 0x00, 0xC7, 0x00, 0x00]
        ),
    ]

    @Test("the size of PNG, GIF, JPEG and the three kinds of WebP is read from the header", arguments: images)
    func sizes(_ type: String, _ bytes: [UInt8]) {
        let image = ImageHeader(bytes)
        #expect(image?.mediaType == type)
        #expect(image?.width == 300)
        #expect(image?.height == 200)
    }

    @Test("a cut image header has no size", arguments: images)
    func cuts(_ type: String, _ bytes: [UInt8]) {
        let header = type == "image/png" ? 24 : bytes.count
        for count in 0..<header { #expect(ImageHeader(Array(bytes[..<count])) == nil) }
    }

    @Test(
        "bytes that are not an image have no size",
        arguments: ["", "hello", "\u{89}PNG", "GIF88a\u{1}\u{0}\u{1}\u{0}", "GIF89a\0\0\0\0"]
    )
    func others(_ text: String) {
        #expect(ImageHeader(Array(text.utf8)) == nil)
    }
}

/// Images that are as small as their formats allow.
enum SampleImages {
    /// A PNG that holds its header and its end: enough for a reader of headers.
    static func png(width: Int, height: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = number(13) + Array("IHDR".utf8) + number(width) + number(height) + [8, 2, 0, 0, 0] + number(0)
        return signature + header + number(0) + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    }
}
