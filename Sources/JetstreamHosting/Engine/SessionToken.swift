internal import Foundation
internal import HeliumCore

/// The secrets with which clients resume their sessions: 80 to 86 letters and digits
/// (Docs/Protocols/Jetstream.md §1.3).
enum SessionToken {
    private static let epochLength = 12
    private static let minimumLength = 80

    /// Returns a new prefix for all tokens of a store.
    static func epoch(_ random: RandomSource) -> String { String(letters(random).prefix(epochLength)) }

    /// Returns a token: the epoch, and the letters and digits of 64 random bytes in base64.
    static func token(epoch: String, _ random: RandomSource) -> String {
        while true {
            let letters = letters(random)
            if letters.utf8.count >= minimumLength { return epoch + letters.dropFirst(epochLength) }
        }
    }

    private static func letters(_ random: RandomSource) -> String {
        let words = random.bits(count: 8)
        let text = words.withUnsafeBytes { Data($0) }.base64EncodedString()
        return String(decoding: text.utf8.filter { $0 != 0x2B && $0 != 0x2F && $0 != 0x3D }, as: UTF8.self)
    }
}
