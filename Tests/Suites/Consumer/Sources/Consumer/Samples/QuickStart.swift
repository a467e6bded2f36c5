// sample: quick-start
import Foundation
import HeliumKit

struct TVShow: Decodable, Sendable {
    let id: String
    let title: String
}

func show(_ id: String, from api: URL) async throws -> TVShow {
    let helium = try Helium(baseURL: api)
    return try await helium.get("/tvshows/:id", returning: TVShow.self)
        .pathReplacements(["id": id]).parameters(["lang": "en"]).timeout(.seconds(5)).value()
}
// end of sample
