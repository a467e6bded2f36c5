internal import HeliumCore

/// The calls for explore streams (Docs/Protocols/AppNet.md §2.10): lists of posts that the service curates. pnut.io
/// also has lists of channels.
public struct ExploreCalls: Sendable {
    let client: AppNetClient

    /// Returns the available streams. Cache the result for one day.
    ///
    /// `GET posts/stream/explore`; no token needed. pnut.io: `posts/streams/explore`.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func streams() async throws -> [ExploreStream] { try await client.value(CallRequest(.exploreStreams)) }

    /// Returns the posts of a stream. ``ResponseMeta/exploreStream`` describes the stream.
    ///
    /// `GET posts/stream/explore/{slug}`; no token needed. pnut.io: `posts/streams/explore/{slug}`.
    ///
    /// - Parameters:
    ///   - slug: The ``ExploreStream/slug`` of the stream.
    ///   - parameters: The optional members of the response.
    public func posts(
        in slug: String,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<Post> {
        client.list(CallRequest(.exploreStream, ["slug": slug], parameters))
    }

    /// Returns the available streams of channels.
    ///
    /// `GET channels/streams/explore`; no token needed. pnut.io only.
    ///
    /// - Throws: ``AppNetError``, or `CancellationError` if the task is cancelled.
    public func channelStreams() async throws -> [ExploreStream] {
        try await client.value(CallRequest(.exploreChannels))
    }

    /// Returns the channels of a stream. ``ResponseMeta/exploreStream`` describes the stream if the response has it.
    ///
    /// `GET channels/streams/explore/{slug}`; no token needed. pnut.io only.
    ///
    /// - Parameters:
    ///   - slug: The ``ExploreStream/slug`` of the stream.
    ///   - parameters: The optional members of the response.
    public func channels(
        in slug: String,
        parameters: GeneralParameters = GeneralParameters()
    ) -> PagedList<AppNetChannel> {
        client.list(CallRequest(.exploreChannelStream, ["slug": slug], parameters))
    }
}
