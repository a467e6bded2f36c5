internal import Foundation
internal import HTTPTypes
internal import HeliumServerKit

/// The id and secret of an app in a request (Docs/Protocols/AppNet.md §1.3).
struct ClientCredentials: Sendable {
    let id: String
    let secret: String

    /// Reads them from HTTP Basic (RFC 7617), or from parameters; `nil` if one is missing.
    init?(_ request: AppNetRequest, parameters: FormFields) {
        if let (id, secret) = Self.basic(request.fields[.authorization]) {
            self.id = id
            self.secret = secret
        } else if let id = parameters["client_id"], let secret = parameters["client_secret"] {
            self.id = id
            self.secret = secret
        } else {
            return nil
        }
    }

    private static func basic(_ header: String?) -> (String, String)? {
        guard let parts = header?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "basic", let data = Data(base64Encoded: parts[1].trimming())
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard !text.holdsLongMarkRun else { return nil }
        let pair = text.split(separator: ":", maxSplits: 1)
        return pair.count == 2 ? (String(pair[0]), String(pair[1])) : nil
    }

    /// Returns the app if the secret is valid.
    func app(in apps: AppNetAppTable) throws -> AppNetApp? {
        guard let app = try apps.app(id), ConstantTime.areEqual(app.clientSecret, secret) else { return nil }
        return app
    }
}

extension ClientCredentials: CustomStringConvertible, CustomReflectable {
    /// The client id, without the secret.
    var description: String { id }

    var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
