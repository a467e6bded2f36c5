extension Entities.Link {
    /// Returns a link to the page of a photo that the post itself has as an oembed:
    /// `https://photos.app.net/{post_id}/1`.
    ///
    /// The server replaces the template with the post's id (Docs/Protocols/AppNet.md §5.4).
    ///
    /// - Parameters:
    ///   - number: The number of the photo in the post, counted from 1.
    ///   - position: The start, in code points.
    ///   - length: The length, in code points.
    public static func photoOfPost(
        _ number: Int = 1,
        position: Int,
        length: Int
    ) -> Self {
        Self(url: photo("post_id", number), position: position, length: length)
    }

    /// Returns a link to the page of a photo that the message itself has as an oembed:
    /// `https://photos.app.net/{message_id}/1`.
    ///
    /// The server replaces the template with the message's id (Docs/Protocols/AppNet.md §5.4).
    ///
    /// - Parameters:
    ///   - number: The number of the photo in the message, counted from 1.
    ///   - position: The start, in code points.
    ///   - length: The length, in code points.
    public static func photoOfMessage(
        _ number: Int = 1,
        position: Int,
        length: Int
    ) -> Self {
        Self(url: photo("message_id", number), position: position, length: length)
    }

    private static func photo(_ id: String, _ number: Int) -> WebAddress {
        WebAddress("https://photos.app.net/{\(id)}/\(number)")
    }
}
