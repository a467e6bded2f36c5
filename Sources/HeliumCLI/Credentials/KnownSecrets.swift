import HeliumConcurrency
import HeliumKit
import Synchronization

/// The secrets that a command has read so far: from variables, options, files and standard input. They are masked in
/// everything on standard error, wherever a text came from.
///
/// A secret that is a word, such as the password `server`, is masked wherever it stands as a word, also in messages of
/// the tool. It is not masked within a longer word: `[redacted]s` would show the secret to a reader who knows the message.
/// The same applies to secrets of 4 and 5 bytes, such as the password `1234` in the number 12345.
final class KnownSecrets: Sendable {
    /// The length in bytes from which a secret is masked. Masking shorter ones would make messages unreadable.
    static let minimumLength = 4

    private struct State {
        var texts: Set<String> = []
        var scrubber = SecretScrubber()
    }

    private let state = Guarded(State())

    /// Adds secrets. Texts shorter than ``minimumLength`` are ignored.
    func add(_ texts: some Sequence<String>) {
        let new = texts.filter { $0.utf8.count >= Self.minimumLength }
        guard !new.isEmpty else { return }
        state.withLock { state in
            let count = state.texts.count
            state.texts.formUnion(new)
            guard state.texts.count > count else { return }
            state.scrubber = SecretScrubber(secrets: state.texts.sorted(), keepsLongerWords: true)
        }
    }

    func add(_ secret: Secret) { add([secret.value]) }

    /// Returns the text with all known secrets masked.
    func masking(_ text: String) -> String {
        let scrubber = state.withLock { $0.texts.isEmpty ? nil : $0.scrubber }
        return scrubber?.text(text) ?? text
    }

    /// Masks the secrets in the parts of a response.
    var scrubber: SecretScrubber { state.withLock { $0.scrubber } }
}
