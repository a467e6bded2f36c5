internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumJSON

/// A call with its arguments, before it is sent.
struct CallRequest: Sendable {
    let call: CallSpecification
    /// The values of the path's placeholders.
    var path: [String: String] = [:]
    var query = QueryParameters()
    var parameters = GeneralParameters()
    var body: Body?
    var subscription: StreamSubscriptionParameters?
    /// The secrets of this call alone, such as file tokens. Errors do not show them.
    var secrets: [Secret] = []
    var fields = HTTPFields()
    var progress: (@Sendable (TransferProgress) -> Void)?

    /// The request body.
    enum Body: Sendable {
        /// A value, whose members are translated to the dialect.
        case object(any AppNetObject)
        /// Any other content, sent unchanged.
        case content(RequestContent)
    }

    init(
        _ call: CallSpecification,
        _ path: [String: String] = [:],
        query: QueryParameters = [:],
        body: Body? = nil,
        _ parameters: GeneralParameters = GeneralParameters()
    ) {
        self.call = call
        self.path = path
        self.query = query
        self.body = body
        self.parameters = parameters
    }
}

extension CallRequest {
    /// Creates a call without path values.
    init(_ call: CallSpecification, _ parameters: GeneralParameters) { self.init(call, [:], parameters) }

    /// Returns the same call for one page of its list.
    func bounded(
        by bounds: PageBounds,
        subscription: StreamSubscriptionParameters?
    ) throws(AppNetError) -> CallRequest {
        var request = self
        request.query.merge(try bounds.query())
        request.subscription = subscription
        return request
    }

    /// Returns the complete query: the general parameters of the client and the call, then the call's own query.
    func query(in dialect: AppNetDialect, with general: GeneralParameters) throws(AppNetError) -> QueryParameters {
        var query = general.merging(parameters).query(in: dialect)
        query.merge(self.query)
        if let subscription {
            guard call.isSubscribable else {
                throw AppNetError(.invalidRequest, "\(call.name) does not support subscriptions")
            }
            query["connection_id"] = .single(subscription.connectionID)
            query["subscription_id"] = subscription.subscriptionID.map { .single($0) }
        }
        return query
    }

    /// Returns the request body in a dialect.
    func content(in dialect: AppNetDialect) throws(AppNetError) -> RequestContent? {
        switch body {
        case nil: nil
        case .content(let content): content
        case .object(let object): .json(bytes: try Self.json(object, in: dialect))
        }
    }

    /// Encodes a value as JSON in a dialect.
    static func json(_ object: any AppNetObject, in dialect: AppNetDialect) throws(AppNetError) -> Data {
        do {
            let data = try HeliumJSONEncoder.bodies.encode(object)
            guard dialect == .pnut else { return data }
            let form = try PnutMembers.pnutRequest(of: JSONValue(parsing: data), as: type(of: object))
            return try HeliumJSONEncoder.bodies.encode(form)
        } catch let error as UntranslatableMember {
            throw AppNetError(.unsupportedByDialect, "\(dialect.serviceName) does not support \(error)")
        } catch {
            // The encoder's error is not included, because it may quote the value.
            throw AppNetError(.unencodable, "the \(type(of: object)) can't be encoded")
        }
    }
}
