public import HeliumCore

extension RecordingTransport {
    /// The data that is masked in a recording, in addition to the data that is always masked.
    ///
    /// These are always masked: the values of credential fields (`Authorization`, `Cookie`, `Set-Cookie`, keys, tokens,
    /// signatures); cookies; query parameters, members of JSON and forms, and elements of XML whose names indicate a
    /// secret; passwords in URLs; path segments after a name such as `keys`; and all texts in the authorizer's
    /// `secrets`.
    ///
    /// Copies of these values are masked wherever they occur, in whichever exchange, if they have at least 6 bytes:
    /// also if they are percent-encoded, escaped in JSON or XML, in Base64 or in hexadecimal digits. A compressed
    /// request body is not kept. A secret is unknown if it is named only in the part of a body that was cut, or in an
    /// exchange that was not kept.
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
