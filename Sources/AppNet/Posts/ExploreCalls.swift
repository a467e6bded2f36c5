internal import HeliumCore

/// The calls of explore streams (§2.10): lists of posts, or on pnut.io of channels too, that the service puts together.
public struct ExploreCalls: Sendable {
    let client: AppNetClient

    /// What streams there are. Keep a copy for a day.
    ///
    /// `GET posts/stream/explore`; no token needed. pnut.io: `posts/streams/explore`.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func streams() async throws -> [ExploreStream] { try await client.value(CallRequest(.exploreStreams)) }

    /// A stream's posts; ``ResponseMeta/exploreStream`` describes it.
    ///
    /// `GET posts/stream/explore/{slug}`; no token needed. pnut.io: `posts/streams/explore/{slug}`.
    ///
    /// - Parameters:
    ///   - slug: ``ExploreStream/slug``.
    ///   - parameters: What the answer is to have.
    public func posts(
        in slug: String,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.exploreStream, ["slug": slug], parameters))
    }

    /// What streams of channels there are.
    ///
    /// `GET channels/streams/explore`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``; `CancellationError`.
    public func channelStreams() async throws -> [ExploreStream] {
        try await client.value(CallRequest(.exploreChannels))
    }

    /// Returns the channels of a stream; ``ResponseMeta/exploreStream`` describes it where the service says so.
    ///
    /// `GET channels/streams/explore/{slug}`; no token needed. pnut.io only.
    ///
    /// - Parameters:
    ///   - slug: ``ExploreStream/slug``.
    ///   - parameters: The optional members of the response.
    public func channels(
        in slug: String,
        _ parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.exploreChannelStream, ["slug": slug], parameters))
    }
}
