internal import Foundation
internal import HTTPTypes
internal import HeliumCore
internal import HeliumJSON

/// A call in the making: which, of what, with what.
struct CallRequest: Sendable {
    let call: CallSpecification
    /// What stands for the path's placeholders.
    var path: [String: String] = [:]
    var query = QueryParameters()
    var parameters = GeneralParameters()
    var body: Body?
    var subscription: StreamSubscriptionParameters?
    /// Secrets of this call alone, such as file tokens: no error shows them.
    var secrets: [Secret] = []
    var fields = HTTPFields()
    var progress: (@Sendable (TransferProgress) -> Void)?

    /// What is sent.
    enum Body: Sendable {
        /// A value, whose members are the dialect's in the end.
        case object(any AppNetObject)
        /// Anything else, as it is.
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
    /// A call without anything in its path.
    init(_ call: CallSpecification, _ parameters: GeneralParameters) { self.init(call, [:], parameters) }

    /// The same call for one page of its list.
    func bounded(
        by bounds: PageBounds,
        subscription: StreamSubscriptionParameters?
    ) throws(AppNetError) -> CallRequest {
        var request = self
        request.query.merge(try bounds.query())
        request.subscription = subscription
        return request
    }

    /// The whole query: what the client and the call ask for, then the call's own.
    func query(in dialect: AppNetDialect, with general: GeneralParameters) throws(AppNetError) -> QueryParameters {
        var query = general.merging(parameters).query(in: dialect)
        query.merge(self.query)
        if let subscription {
            guard call.isSubscribable else {
                throw AppNetError(.invalidRequest, "no user stream can subscribe to \(call.name)")
            }
            query["connection_id"] = .single(subscription.connectionID)
            query["subscription_id"] = subscription.subscriptionID.map { .single($0) }
        }
        return query
    }

    /// The body in a dialect.
    func content(in dialect: AppNetDialect) throws(AppNetError) -> RequestContent? {
        switch body {
        case nil: nil
        case .content(let content): content
        case .object(let object): .json(bytes: try Self.json(object, in: dialect))
        }
    }

    /// A value as a dialect writes it.
    static func json(_ object: any AppNetObject, in dialect: AppNetDialect) throws(AppNetError) -> Data {
        do {
            let data = try HeliumJSONEncoder.bodies.encode(object)
            guard dialect == .pnut else { return data }
            let form = try PnutMembers.pnutRequest(of: JSONValue(parsing: data), as: type(of: object))
            return try HeliumJSONEncoder.bodies.encode(form)
        } catch let error as UntranslatableMember {
            throw AppNetError(.unsupportedByDialect, "\(dialect.serviceName) can't be told: \(error)")
        } catch {
            // Only that it failed: the encoder's words may quote the value.
            throw AppNetError(.unencodable, "the \(type(of: object)) can't be written")
        }
    }
}
