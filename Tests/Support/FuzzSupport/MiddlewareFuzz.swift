internal import HeliumConcurrency
internal import HeliumCore
internal import HeliumKit
internal import MiddlewareServer

extension FuzzTarget {
    static let middlewareTimestamps = FuzzTarget(
        "middleware-timestamps",
        examples: ["1455264007123", "0", "9999999999999999", " 1455264007999\t"],
        pieces: ["0", "9", "-", "+", ".", " ", "\t", "1e3", "0x", "9223372036854775808", "\r\ntimestamp: ", "٣", "\0"],
        check: MiddlewareFuzz.timestamp
    )

    static let middlewareKeys = FuzzTarget(
        "middleware-keys",
        examples: [
            "3ea6da14e2244b531d5d93247f07ac0a3ea6da14e2244b531d5d93247f07ac0b1455264007"
                + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "3ea6da14e2244b531d5d93247f07ac0a", "",
            "3ea6da14e2244b531d5d93247f07ac0a3ea6da14e2244b531d5d93247f07ac0b    0x1F  e3b0",
        ],
        pieces: [
            "0", "9", "-", "+", ".", " ", "\t", "e", "E9", "0x", "0b1", "0o", "_", "Infinity", "nan", "inf", "\u{301}",
            "\u{FEFF}", "\u{85}", "😀", "٣", "3ea6da14e2244b53", "\0",
        ],
        check: MiddlewareFuzz.key
    )
}

/// Reads the times of the middleware's protocol: those of the server's responses, and those of a client's keys.
package enum MiddlewareFuzz {
    private static let signer = RequestSigner(
        deviceID: "3ea6da14e2244b531d5d93247f07ac0a",
        secret: "secret",
        secretID: "3ea6da14e2244b531d5d93247f07ac0b"
    )
    private static let input = SignatureInput(method: "GET", scheme: "https", host: "api.example.com", target: "/")

    /// Checks that a response's time is a possible one, is read again from its own text, and that the server reads from a key
    /// the time for which the client made it.
    package static func timestamp(_ bytes: [UInt8]) throws {
        guard let time = head(bytes).serverTime else { return }
        guard time >= .zero, time < .milliseconds(10_000_000_000_000_000) else {
            throw FuzzFinding("\(time) is no time of a server")
        }
        let (seconds, attoseconds) = time.components
        let text = "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)"
        guard head(Array(text.utf8)).serverTime == time else { throw FuzzFinding("\(text) is not \(time)") }

        let now = Duration.seconds(1_455_264_007)
        let corrected = (now + (time - now).withinCentury).components.seconds
        guard case .signed(let parts) = PresentedKey(signer.key(for: input, at: corrected)),
            ScriptNumber.parse(parts.timestamp) == Double(max(0, corrected))
        else { throw FuzzFinding("the server does not read \(corrected) from the key") }
    }

    /// Checks that the parts of a key are its characters, each of them once, and that its time is a number whatever spaces
    /// are around it.
    package static func key(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        guard case .signed(let parts) = PresentedKey(text) else {
            guard text.utf16.count == 32 else { throw FuzzFinding("\(text) is no static key") }
            return
        }
        let whole = parts.deviceID + parts.secretID + parts.timestamp + parts.signature
        guard text.utf16.count == whole.utf16.count, !text.utf8.allSatisfy({ $0 < 0x80 }) || text == whole,
            parts.deviceID.utf16.count <= 32, parts.secretID.utf16.count <= 32, parts.timestamp.utf16.count <= 10
        else { throw FuzzFinding("the parts of \(text) are \(parts)") }
        let number = ScriptNumber.parse(parts.timestamp)
        guard number?.isNaN != true else { throw FuzzFinding("\(parts.timestamp) is no number") }
        guard ScriptNumber.parse(" \t\(parts.timestamp)\r\n") == number else {
            throw FuzzFinding("spaces change the number \(parts.timestamp)")
        }
        if !parts.timestamp.isEmpty, parts.timestamp.utf8.allSatisfy({ 48...57 ~= $0 }) {
            guard number == UInt64(parts.timestamp).map({ Double($0) }) else {
                throw FuzzFinding("\(parts.timestamp) is read as \(number.map { "\($0)" } ?? "no number")")
            }
        }
    }

    private static func head(_ value: [UInt8]) -> ResponseHead {
        ResponseHead(status: 200, section: Array("timestamp: ".utf8) + value + Array("\r\n".utf8))
    }
}
