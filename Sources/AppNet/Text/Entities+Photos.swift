extension Entities.Link {
    /// A link to the page of a photo that the post itself has as an oembed: `https://photos.app.net/{post_id}/1`, in which the
    /// server puts the post's id (§5.4).
    ///
    /// - Parameters:
    ///   - number: Which of the post's photos, from 1.
    ///   - position: Where it begins, in code points.
    ///   - length: How many code points it has.
    public static func photoOfPost(
        _ number: Int = 1,
        position: Int,
        length: Int
    ) -> Self {
        Self(url: photo("post_id", number), position: position, length: length)
    }

    /// A link to the page of a photo that the message itself has as an oembed: `https://photos.app.net/{message_id}/1`, in
    /// which the server puts the message's id (§5.4).
    ///
    /// - Parameters:
    ///   - number: Which of the message's photos, from 1.
    ///   - position: Where it begins, in code points.
    ///   - length: How many code points it has.
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
