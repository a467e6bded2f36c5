public import HeliumCore

extension RecordingTransport {
    /// The data that is masked in a recording, in addition to the data that is always masked.
    ///
    /// These are always masked: the values of credential fields (`Authorization`, `Cookie`, `Set-Cookie`, keys, tokens,
    /// signatures); cookies; query parameters and members of JSON and forms whose names indicate a secret; and all
    /// texts in the authorizer's `secrets`, wherever they occur.
    public struct Scrubbing: Sendable {
        /// Texts to mask wherever they occur, without regard to case.
        public var secrets: [Secret] = []

        /// The names of header fields to mask.
        public var fields: Set<String> = []

        /// The names of query parameters to mask.
        public var parameters: Set<String> = []

        /// The names of members of JSON and form bodies to mask, at any depth.
        public var members: Set<String> = []

        /// Creates a value that adds nothing to the data that is always masked.
        public init() {}

        func scrubber(_ known: some Sequence<String>) -> SecretScrubber {
            SecretScrubber(
                secrets: secrets.map(\.value) + known,
                fields: fields,
                parameters: parameters,
                members: members
            )
        }
    }
}
