internal import Foundation
internal import HTTPTypes
package import HeliumCore
internal import HeliumKit

/// Pipelines that send nothing anywhere.
package enum FuzzPipeline {
    /// A pipeline whose requests go to `https://api.example.com`.
    package static func make(
        path: String = "",
        transport: any HTTPTransport = Nowhere(),
        authorizer: any Authorizer = NoAuthorizer(),
        options: ClientOptions = ClientOptions()
    ) throws -> Pipeline {
        guard let url = URL(string: "https://api.example.com\(path)") else { throw FuzzFinding("no base URL") }
        var options = options
        options.adoptMiddlewareVocabulary()
        return try Pipeline(
            baseURL: url,
            options: options,
            transport: transport,
            authorizer: authorizer,
            clock: SystemClock()
        )
    }

    /// Checks that a target can be sent on a request line.
    package static func requireSendable(_ target: String) throws {
        guard target.utf8.first == 47, target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 35 }) else {
            throw FuzzFinding("\(target) can't be sent")
        }
    }

    /// Refuses every request.
    package struct Nowhere: HTTPTransport {
        package init() {}
        package func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
            throw TransportFailure(.connectionFailed, delivery: .notSent, message: "nowhere")
        }
        package func shutdown() async {}
    }
}
