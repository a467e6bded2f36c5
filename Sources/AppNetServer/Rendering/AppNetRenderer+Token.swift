internal import HeliumJSON
internal import HeliumServerKit

extension AppNetRenderer {
    /// Returns the JSON object of a token (Docs/Protocols/AppNet.md §3.5).
    func token(_ token: AppNetToken, maxima: AppNetMaxima) throws -> JSONValue {
        let app = try AppNetAppTable(database: database).app(token.client)
        var json: JSONValue = [
            "scopes": .array(token.scopes.sorted().map { .string($0.rawValue) }),
            "app": app?.source ?? ["client_id": .string(token.client)], "client_id": .string(token.client),
        ]
        guard let user = token.user else { return json }
        let used = try FileTable(database: database).usedBytes(of: user)
        json["user"] = try self.user(user)
        json["limits"] = ["following": .count(maxima.following), "max_file_size": .count(maxima.uploadBytes)]
        json["storage"] = ["available": .count(max(0, maxima.storageBytes - used)), "used": .count(used)]
        return json
    }
}
