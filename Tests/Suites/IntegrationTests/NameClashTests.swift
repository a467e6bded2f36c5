import AppNet
import ConAir
import ConAirPage
import ConAirSQLite
import Cosm
import Foundation
import HeliumCrypto
import HeliumFoundation
import HeliumKit
import HeliumLifecycle
import HeliumServer
import HeliumServerTesting
import HeliumTesting
import HeliumWebSocket
import HummingbirdCore
import Jetstream
import JetstreamHosting
import MessageBeast
import NIOCore
import TestSupport
import Testing

/// Every public top-level name of ours, spelt alone beside Foundation's, HummingbirdCore's and NIOCore's: an ambiguous
/// one does not compile. The names of Hummingbird itself, which nothing else here needs, are read from its sources.
@Suite("Public names")
struct NameClashTests {
    private static let types: [any Any.Type] = [
        // HeliumCore
        (any Authorizer).self, (any BodyDecoder).self, (any BodyEncoder).self, (any BodyStreamSource).self,
        (any FieldsSelector).self, (any HeliumClock).self, (any HTTPTransport).self, (any Interceptor).self,
        (any ParameterConvertible).self, (any UploadSource).self, ArrayElements<String>.self, AttemptRecord.self,
        AuthorizationContext.self,
        AuthorizationReview.self, AuthorizedResponse.self, BadLinePolicy.self, BearerCredential.self,
        BearerRefreshFailure.self, BearerRefreshReason.self, BearerRefreshRequest.self, BodyStream.self,
        Ceiling.self, ClientOptions.self, ClosureInterceptor.self, ConcurrencyLimits.self, DateRule.self,
        Deadline.self, DecodingFailure.self, DecodingReport.self, DeliveryState.self, ElementOptions.self,
        ErrorBody.self,
        FailureKind.self, FieldAuthorizer.self, FoundationJSONDecoder.self, FoundationJSONEncoder.self,
        HeliumError.self, HeliumResponse<Void>.self, HeliumStream.self, HeliumTask.self, HTTPVersionPolicy.self,
        IdempotencyKey.self, InterceptionContext.self, InvalidURL.self, JSONLines<String>.self, LineOptions.self,
        LossyArray<String>.self, LossyDictionary<String>.self, MultipartForm.self, NoAuthorizer.self,
        Observability.self, OpenEnum<FailureKind>.self, Origin.self, PageElements<Pages<[String]>, [String]>.self,
        Pages<String>.self, PaginationStrategy<String>.self, ParameterValue.self, PathReplacements.self,
        PhaseTimeouts.self, ProblemDetails.self, QueryParameters.self, RandomSource.self, ReconnectPolicy.self,
        RedirectPolicy.self, RefreshingBearerAuthorizer.self, RequestBuilder<Void>.self, RequestContent.self,
        RequestSummary.self, RequestURL.self, ResponseBodyMode.self, ResponseEnvelope.self, ResponseHead.self,
        ResponseLimits.self, RetryBudget.self, RetryPolicy.self, RetryReason.self, RetryRefusal.self, Secret.self,
        ServerError.self, ServerSentEvent.self, ServerSentEventOptions.self, ServerSentEvents.self,
        SystemClock.self, TextLines.self, TransferPhase.self, TransferProgress.self, TransferTimings.self,
        TransportFailure.self, TransportRequest.self, TransportResponse.self, UnreadableItems.self,
        UploadBody.self,
        // HeliumJSON
        (any JSONReadable).self, BadElementPolicy.self, HeliumJSONDecoder.self, HeliumJSONEncoder.self,
        JSONElements<String, AsyncStream<Data>>.self, JSONError.self, JSONLimits.self, JSONLocation.self,
        JSONName.self, JSONNumber.self, JSONObject.self, JSONPathElement.self, JSONReader.self, JSONValue.self,
        // HeliumCurl
        CurlTransport.self,
        // HeliumKit
        (any TokenStore).self, ClientEnvironment.self, ClockCorrectionPolicy.self, Device.self,
        DeviceConfiguration.self, DeviceInfo.self, DeviceRegistration.self, DownloadOptions.self,
        FileTokenStore.self, Helium.self, HeliumConfiguration.self, HeliumDownload.self, MemoryTokenStore.self,
        RequestSigner.self, SignatureInput.self, StoreFailurePolicy.self, TokenStoreError.self, TokenStoreKey.self,
        // HeliumFoundation
        UserDefaultsTokenStore.self,
        // HeliumCrypto
        AESGCM.self, CryptoError.self, EncryptionKey.self, SecureRandom.self,
        // HeliumLifecycle
        HeliumService.self,
        // HeliumWebSocket
        BackoffPolicy.self, ConnectionState.self, SupervisedConnection<WebSocket>.self, WebSocket.self,
        WebSocketBuilder.self, WebSocketCloseCode.self, WebSocketClosure.self, WebSocketMessage.self,
        WebSocketOptions.self, WebSocketProxy.self,
        // Cosm
        (any CosmDocument).self, (any CosmModel).self,
        (any DatapointCollectionDelegate).self, (any DatapointModelDelegate).self,
        (any DatastreamModelDelegate).self, (any FeedCollectionDelegate).self, (any FeedModelDelegate).self,
        (any CosmSubscribable).self, APIKey.self, BatchProgress.self, CosmClient.self, CosmDialect.self,
        CosmDocumentError.self, CosmDuration.self, CosmError.self, CosmFormat.self, CosmList<Trigger>.self,
        CosmID<Feed>.self,
        CosmSocket.self, CosmSocketOptions.self, CosmTimeZone.self, Datapoint.self, DatapointCollection.self,
        DatapointHistory.self, DatapointModel.self, DatapointRange.self, DatapointRows.self,
        DatapointValue.self, Datastream.self, DatastreamCollection.self, DatastreamModel.self,
        EncodedDocument.self, Feed.self, FeedCollection.self, FeedModel.self, FeedPage.self,
        FeedPages.self,
        FeedQuery.self, GraphOptions.self, HistoryInterval.self,
        HistoryQuery.self, IncompleteModel.self, LiveOrigin.self, LiveResource.self, LiveSubscription<Feed>.self,
        LiveUpdate<String>.self, Location.self, ModelChanges.self, ModelEvent.self, ModelEvents.self,
        ReadDocument<Feed>.self, ReadOptions.self, RecordedTime.self, SocketMethod.self, SocketReply.self,
        SubscriptionOptions.self, Timestamp.self, Trigger.self, User.self,
        // AppNet
        (any AnnotationValue).self, (any StreamValue).self, (any TextEntity).self, ACL.self, AccessGrant.self,
        AccountTokens.self, Annotation.self, AppNetAuthenticator.self, AppNetChannel.self,
        AppNetClient.self,
        AppNetConfiguration.self, AppNetDialect.self,
        AppNetError.self, AppNetID<Post>.self, AppNetUser.self, AppStream.self, AppStreamCalls.self,
        AppStreamEvents.self,
        AppStreamOptions.self, AttachedFile.self, Attachments.self, AuthScope.self, Badge.self,
        BlogDirectory.self, BroadcastCover.self, BroadcastFrequency.self, BroadcastIcon.self,
        BroadcastMetadata.self, BroadcastSubject.self, ChannelAccess.self, ChannelCalls.self,
        ChannelInvite.self, ChannelMetadata.self, ChannelSearch.self, Checkin.self, ClientCalls.self, ClientInfo.self,
        ClientSource.self,
        ConfigurationCalls.self, ContentSearch.self, Crosspost.self, DisplayDate.self, EmbeddingCalls.self,
        Entities.self,
        ExploreCalls.self, ExploreStream.self, FacebookDirectory.self, FallbackURL.self, File.self,
        FileCalls.self, FileContent.self, FileMemberForm.self, FileReference.self, FilterCalls.self,
        GeneralParameters.self, Geolocation.self, HomepageDirectory.self, ImageInfo.self, Interaction.self,
        InteractionCalls.self, InteractionKinds.self, ListPages<Post>.self, ListPosition.self, Message.self,
        MessageCalls.self, MessageSearchScope.self, OAuthRefusal.self, OEmbed.self, OEmbedMetadata.self,
        OhaiLocation.self, Page<Post>.self, PageBounds.self, PagedList<Post>.self,
        PatterSettings.self, PhotoTag.self, Place.self, PlaceCalls.self, PlaceSearch.self, PnutChatSettings.self,
        Poll.self, PollCalls.self, Post.self, PostCalls.self, Presence.self, ProcessedText.self, RateLimit.self,
        ReplacementValue.self, ResponseMeta.self, RuleViolation.self, SearchCalls.self, ServiceConfiguration.self,
        StreamConnectionOptions.self, StreamEvent.self, StreamFilter.self, StreamMarker.self,
        StreamMarkerCalls.self, StreamSubscription<Post>.self, StreamSubscriptionOptions.self,
        StreamTopic<Post>.self, StreamUpdate<Post>.self, TextCalls.self,
        TextLanguage.self, TextProcessor.self, TokenCalls.self, TokenInfo.self, TwitterDirectory.self,
        UserCalls.self, UserImage.self, UserStream.self, UserStreamCalls.self,
        UserStreamOptions.self, WebAddress.self, WebSignIn.self,
        // ConAir
        (any SeriesCache).self, (any TimeSeriesSource).self, ChartModel.self, ChartRun.self, CollectSummary.self,
        ConAirError.self,
        ConAirHTTPSource.self, MemorySeriesCache.self, ObservableTimeSeries.self, SeriesChanges.self, SeriesKey.self,
        SeriesPoint.self, SeriesPoints.self, SeriesReply.self, SeriesRetention.self, SeriesSnapshot.self,
        SeriesStatistics.self, SeriesTime.self, SeriesUpdate.self, SeriesUpdates.self, SVGChart.self,
        TerminalChart.self, TimeSeriesState.self, TimeSeriesStore.self, TimeTick.self, ValueTick.self,
        // ConAirPage
        SeriesPageServer.self,
        // ConAirSQLite
        SeriesCacheError.self, SQLiteSeriesCache.self,
        // HeliumTesting
        FaultServer.self, HAR.self, MockTransport.self, RecordingTransport.self, ReplayTransport.self,
        TestClock.self,
        // HeliumServer
        AppNetAccounts.self, AppNetControl.self, AppNetMaxima.self, AppNetRateLimits.self,
        AppNetServerConfiguration.self, CosmConfiguration.self, CosmControl.self, CosmMaxima.self,
        CosmRateLimit.self, EmbeddedServer.self,
        EmbeddedServerConfiguration.self, EmbeddedServerError.self, FaultControl.self,
        FaultScope.self, LoggedRequest.self, MiddlewareConfiguration.self, MiddlewareControl.self,
        MiddlewareSecret.self, ReadyInformation.self, RequestLog.self, ServerClock.self, ServerFault.self,
        ServerLimits.self, ServerRateLimit.self, StaticAccessKey.self, TLSFiles.self,
        // MessageBeast
        (any Connectivity).self, (any Geocoder).self, ActionMessageManager.self, AnnotationInstances.self,
        AppConnectivity.self, BlockingWork.self, CachedPlace.self, ChannelInitializationError.self,
        ChannelRefreshResult.self, ChannelRefreshResultSet.self, ChannelSpec.self, ChannelSpecSet.self,
        ChannelSyncManager.self, ConnectivityChange.self, CustomPlace.self, DisplayLocation.self,
        DisplayLocationInstances.self, ExportSummary.self, FailureClass.self, FailureClasses.self,
        FetchOutcome.self, FetchSummary.self, FullSync.self, FullSyncState.self, GeocodedLocation.self,
        HashtagInstances.self, LegacySummary.self, LocationPrecision.self, MessageBeastError.self,
        MessageCursor.self, MessageManager.self, MessageManagerConfiguration.self,
        MessagePage.self, MessagePlus.self, MessageRetention.self, OutboxItem.self, ParkedDeletion.self,
        ParkedFileDeletion.self, ParkedMessage.self, ParkedReason.self, PendingFile.self, PendingFileAttachment.self,
        PendingSummary.self, RankCursor.self,
        ReconcileSummary.self, RefreshOutcome.self, SalvageReport.self, SearchFilter.self, SearchHit.self,
        SearchOrder.self, SendOutcome.self, StoredChannel.self, SyncProgress.self, SyncStatus.self,
        UpgradeProgress.self,
        TargetWithActionChannelsSpecSet.self, UserStreamConnectivity.self,
        // JetstreamCore
        (any JetstreamSocket).self, (any JetstreamTransport).self, (any ModelElement).self, (any ModelObject).self,
        (any ModelScalar).self, (any ModelValue).self, (any SessionStore).self, ChangeSet.self, ChangeSetQueue.self,
        Constraint.self, ErrorObject.self, FileSessionStore.self, FragmentReply.self, JetstreamClient.self,
        JetstreamClientOptions.self, JetstreamClosure.self, JetstreamCodec.self, JetstreamError.self,
        JetstreamMessage.self, MemorySessionStore.self, MirrorEvent.self, MirroredChanges.self, MirroredObject.self,
        MirroredScope.self, ModelChangeSequence<Int>.self, ModelDifference.self, ModelFormat.self, ModelKeyError.self,
        ModelInput.self, ModelKind.self, ModelMove<Int>.self, ModelNode.self, ModelObservation.self,
        ModelProperty.self, ModelReading<Int>.self,
        ModelSchema.self, ModelScopeFile.self, ModelSource.self, ModelTeardown.self, ParentRelationship.self,
        RGBAColor.self, Scope.self,
        ScopeConnection.self, ScopeMirror.self, SessionEvent.self, StoredChanges.self, StoredMessage.self,
        StoredSession.self, SyncFragment.self, Turn.self, WebSocketTransport.self,
        // Jetstream
        ModelProperties.self,
        // JetstreamHosting
        JetstreamAuthorization.self, JetstreamConfiguration.self, JetstreamControl.self, JetstreamFetch.self,
        JetstreamLimits.self, JetstreamObject.self, JetstreamRefusal.self, JetstreamServer.self,
        JetstreamSessionInfo.self, JetstreamUpdateResult.self, JetstreamWrite.self, ScopeFile.self,
        ScopeFileError.self,
        // HeliumServerTesting
        InMemoryTransport.self, RunningServer.self, ThrowawayCertificates.self,
    ]

    @Test("public names compile beside those of Foundation, HummingbirdCore and NIOCore")
    func compile() {
        _ = SHA256()  // noncopyable: no member of the list
        #expect(Set(Self.types.map { ObjectIdentifier($0) }).count == Self.types.count)
    }

    @Test("all public names are in the list that is compiled")
    func complete() throws {
        let listed = Set(Self.types.map { String(String(describing: $0).prefix { $0 != "<" }) }).union(["SHA256"])
        let declared = try Self.declaredNames("struct|class|enum|protocol|actor")
        #expect(declared.subtracting(listed).isEmpty, "declared and not listed")
        #expect(listed.subtracting(declared).isEmpty, "listed and not declared")
    }

    @Test("no public name is one of Hummingbird's")
    func hummingbird() throws {
        // The folder of the build contains one for the platform, and that one for the configuration.
        let build = BuiltProducts.folder.resolvingSymlinksInPath().appending(path: "../..").standardized
        let sources = build.appending(path: "checkouts/hummingbird/Sources/Hummingbird")
        let kinds = "struct|class|enum|protocol|actor|typealias"
        let names = try Self.names(kinds, in: sources)
        #expect(names.isSuperset(of: ["Application", "HTTPError", "Parameters", "Router"]))
        #expect(try Self.declaredNames(kinds).intersection(names) == [])
    }

    private static let modules = [
        "AppNet", "ConAir", "ConAirPage", "ConAirSQLite", "Cosm", "HeliumCore", "HeliumCrypto", "HeliumCurl",
        "HeliumFoundation", "HeliumJSON", "HeliumKit", "HeliumLifecycle",
        "AppNetServer", "CosmServer", "HeliumServer", "HeliumServerKit", "MiddlewareServer", "HeliumServerTesting",
        "HeliumTesting", "HeliumWebSocket", "Jetstream", "JetstreamCore", "JetstreamHosting", "MessageBeast",
    ]

    /// The public top-level names of these kinds in our modules.
    private static func declaredNames(_ kinds: String) throws -> Set<String> {
        let sources = SharedDocuments.package.appending(path: "Sources")
        return try modules.reduce(into: []) { $0.formUnion(try names(kinds, in: sources.appending(path: $1))) }
    }

    /// The public top-level names of these kinds in a folder of sources.
    private static func names(_ kinds: String, in folder: URL) throws -> Set<String> {
        let pattern = "^(?:@\\w+ )*public (?:final |indirect )?(?:\(kinds)) (\\w+)"
        let declaration = try Regex(pattern, as: (Substring, Substring).self).anchorsMatchLineEndings()
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        return names
    }
}
