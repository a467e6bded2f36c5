public import HeliumCore

extension RecordingTransport {
    /// What is kept out of a recording, besides what always is: the values of credential fields (`Authorization`, `Cookie`,
    /// `Set-Cookie`, keys, tokens, signatures), cookies, query parameters and members of JSON and forms whose names say
    /// that they are secret, and everything that the authorizer names in its `secrets`, wherever it stands.
    public struct Scrubbing: Sendable {
        /// Texts to mask wherever they stand, whatever their letter case.
        public var secrets: [Secret] = []

        /// Fields to mask.
        public var fields: Set<String> = []

        /// Query parameters to mask.
        public var parameters: Set<String> = []

        /// Members of JSON and form bodies to mask, at any depth.
        public var members: Set<String> = []

        /// What is always kept out, and no more.
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
