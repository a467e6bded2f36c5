import Foundation
import HeliumKit
import HeliumTesting

/// A middleware that is only as large as the samples need.
enum FakeMiddleware {
    static let token = String(repeating: "d", count: 32)

    /// Registers a device, and answers what the samples ask for.
    static func transport() -> MockTransport {
        MockTransport { request in
            let path = request.url.target.prefix { $0 != "?" }
            switch (request.method, path) {
            case (.post, "/demo-auth/v1/devices"):
                return .json(#"{"status": 200, "response": {"id": "\#(token)"}}"#)
            case _ where request.fields[.key]?.utf8.count != 138:
                return .json(#"{"status": 401, "errors": [{"code": "KeyInvalid"}]}"#, status: 401)
            case (.get, "/7tv/mobile/v1/tvshows/1032808"):
                return .json(#"{"status": 200, "response": {"id": "1032808", "title": "Popcorn"}}"#)
            default:
                return answer(request, path)
            }
        }
    }

    private static func answer(_ request: TransportRequest, _ path: Substring) -> TransportResponse {
        switch (request.method, path) {
        case (.post, "/todo"):
            if request.body == Data(#"{"name":""}"#.utf8) {
                let error = #"{"code": "MinLengthUnderachieved", "id": "name", "in": "body"}"#
                return .json(#"{"status": 400, "errors": [\#(error)]}"#, status: 400)
            }
            return .json(#"{"status": 200, "response": {"id": "7"}}"#)
        case (.get, "/todo"):
            return .json(#"{"status": 200, "response": [{"_id": "7", "name": "Tea"}, {"_id": "8", "name": "Milk"}]}"#)
        case (.get, "/todo/7"):
            return .json(#"{"status": 200, "response": {"_id": "7", "name": "Tea"}}"#)
        case (.get, "/about"):
            return TransportResponse(head: ResponseHead(status: 200, fields: [:]), body: .collected(Data("hello".utf8)))
        case (.get, "/export"):
            let body = BodyStream(Data(repeating: 0x2E, count: 1000))
            return TransportResponse(head: ResponseHead(status: 200, fields: [:]), body: .stream(body))
        case (.put, "/todo/7"), (.post, "/labels"):
            return .json(#"{"status": 200, "response": {}}"#)
        default:
            return .json(#"{"status": 404, "errors": [{}]}"#, status: 404)
        }
    }
}

extension HTTPField.Name {
    /// The middleware's credential.
    static var key: Self {
        guard let name = Self("key") else { preconditionFailure("key is a field name") }
        return name
    }
}
