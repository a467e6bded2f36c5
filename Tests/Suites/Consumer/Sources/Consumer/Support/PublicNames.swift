import Foundation
import HeliumFoundation
import HeliumKit
import HeliumTesting

/// Every top-level name that these modules bring, used beside
/// Foundation: a clash would not compile, and a name that is missing here is found by comparing with the sources.
enum PublicNames {
    private static let values: [any Any.Type] = [
        ArrayElements<String>.self, AttemptRecord.self, AuthorizationContext.self, AuthorizationReview.self,
        AuthorizedResponse.self, BackoffPolicy.self, BadElementPolicy.self, BadLinePolicy.self, BearerCredential.self,
        BearerRefreshFailure.self, BearerRefreshReason.self, BearerRefreshRequest.self, BodyStream.self, Ceiling.self,
        ClientEnvironment.self, ClientOptions.self, ClockCorrectionPolicy.self, ClosureInterceptor.self,
        ConcurrencyLimits.self, CurlTransport.self, DateRule.self, Deadline.self, DecodingFailure.self,
        DecodingReport.self, DeliveryState.self, Device.self, DeviceConfiguration.self, DeviceInfo.self,
        DeviceRegistration.self, DownloadOptions.self, ElementOptions.self, ErrorBody.self, FailureKind.self,
        FaultServer.self, FieldAuthorizer.self, FileTokenStore.self, FoundationJSONDecoder.self,
        FoundationJSONEncoder.self, HAR.self, Helium.self, HeliumConfiguration.self, HeliumDownload.self,
        HeliumError.self, HeliumJSONDecoder.self, HeliumJSONEncoder.self, HeliumResponse<String>.self,
        HeliumStream.self, HeliumTask.self, HTTPVersionPolicy.self, IdempotencyKey.self, InterceptionContext.self,
        InvalidURL.self,
        JSONElements<String, AsyncStream<Data>>.self, JSONError.self, JSONLimits.self, JSONLines<String>.self,
        JSONLocation.self, JSONName.self, JSONNumber.self, JSONObject.self, JSONPathElement.self, JSONReader.self,
        JSONValue.self, LineOptions.self, LossyArray<String>.self,
        LossyDictionary<String>.self, MemoryTokenStore.self, MockTransport.self, MultipartForm.self, NoAuthorizer.self,
        Observability.self, OpenEnum<FailureKind>.self, Origin.self, PageElements<Pages<[String]>, [String]>.self,
        Pages<String>.self, PaginationStrategy<String>.self, ParameterValue.self, PathReplacements.self,
        PhaseTimeouts.self, ProblemDetails.self, QueryParameters.self, RandomSource.self, ReconnectPolicy.self,
        RecordingTransport.self, RedirectPolicy.self, RefreshingBearerAuthorizer.self, ReplayTransport.self,
        RequestBuilder<String>.self, RequestContent.self, RequestSigner.self, RequestSummary.self, RequestURL.self,
        ResponseBodyMode.self, ResponseEnvelope.self, ResponseHead.self, ResponseLimits.self, RetryBudget.self,
        RetryPolicy.self, RetryReason.self, RetryRefusal.self, Secret.self, ServerError.self, ServerSentEvent.self,
        ServerSentEventOptions.self, ServerSentEvents.self, SignatureInput.self, StoreFailurePolicy.self,
        SystemClock.self, TestClock.self, TextLines.self, TokenStoreError.self, TokenStoreKey.self, TransferPhase.self,
        TransferProgress.self, TransferTimings.self, TransportFailure.self, TransportRequest.self,
        TransportResponse.self, UnreadableItems.self, UploadBody.self, UserDefaultsTokenStore.self,
    ]

    private static let protocols: [any Any.Type] = [
        (any Authorizer).self, (any BodyDecoder).self, (any BodyEncoder).self, (any BodyStreamSource).self,
        (any FieldsSelector).self, (any HeliumClock).self, (any HTTPTransport).self, (any Interceptor).self,
        (any JSONReadable).self, (any ParameterConvertible).self, (any TokenStore).self, (any UploadSource).self,
    ]

    private static let modules = [
        "HeliumCore", "HeliumCurl", "HeliumFoundation", "HeliumJSON", "HeliumKit", "HeliumTesting",
    ]

    /// Names that stand in the sources and not here, or the other way round.
    static func differences() throws -> [String] {
        let used = Set((values + protocols).map { String(String(describing: $0).prefix { $0 != "<" }) })
        let declared = try modules.reduce(into: Set<String>()) {
            $0.formUnion(try names(in: ShownSamples.root.appending(path: "Sources/\($1)")))
        }
        return declared.subtracting(used).sorted().map { "\($0) is public and was not tried beside Foundation" }
            + used.subtracting(declared).sorted().map { "\($0) is no longer declared" }
    }

    private static func names(in folder: URL) throws -> Set<String> {
        let declaration = /^public (?:final )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
            .anchorsMatchLineEndings()
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: declaration).map { String($0.output.1) })
        }
        return names
    }
}
