/// The rules for the types of channels (Docs/Protocols/AppNet.md §4.5).
enum ChannelRules {
    /// The maximum number of users in an ACL.
    static let maximumUsers = 200
    /// The maximum number of users that a client can name for an ACL, which are looked up one by one.
    static let maximumNames = 10_000

    /// Returns whether a text is a reversed domain name: at least two parts of letters, digits, `-` and `_`.
    static func isType(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 128 && parts.count >= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { Username.isNameByte($0) || $0 == UInt8(ascii: "-") }
            }
    }

    /// Checks the ACLs of a channel against the rules of its type.
    ///
    /// - Throws: ``AppNetFailure`` with 400 if they break a rule.
    static func check(_ channel: AppNetChannel) throws(AppNetFailure) {
        guard channel.type == AppNetChannel.broadcast else { return }
        guard channel.writers.users.isEmpty, !channel.writers.isForAnyUser else {
            throw .badRequest("Only the owner and the editors of a broadcast channel may write.")
        }
        guard !channel.writers.isImmutable, !channel.editors.isImmutable else {
            throw .badRequest("A broadcast channel's writers and editors cannot be immutable.")
        }
    }
}
