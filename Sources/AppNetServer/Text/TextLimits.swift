/// The limits that the configuration tells (§3.5). Texts count code points.
enum TextLimits {
    static let user = 256
    static let post = 256
    static let message = 2048
    /// All annotations of one object, as compact JSON.
    static let annotationBytes = 8192
    /// What a template counts in a text.
    static let postID = 9
    static let messageID = 12
}
