internal import HeliumJSON
internal import HeliumServerKit

/// The calls that read and search users (Docs/Protocols/AppNet.md §2.5).
struct UserHandlers: RequestScoped {
    let context: AppNetContext

    /// Handles `GET users/{user}`.
    func read() throws -> AppNetResponse { .data(try context.renderer.user(UserFinder(context).user())) }

    /// Handles `GET users?ids=`. The ids may include `@name` and `me`.
    func readMany() throws -> AppNetResponse {
        let names = context.parameters.list("ids") ?? []
        try require(names.count <= 200, "At most 200 ids can be requested.")
        var seen: Set<Int64> = []
        let found = try names.compactMap { try UserFinder(context).named($0) }.filter { seen.insert($0.id).inserted }
        return .data(.array(try found.map(context.renderer.user)))
    }

    /// Handles `GET users/search`. `@name` matches prefixes of user names. `#tag` and words match user names, names and
    /// descriptions.
    func search() throws -> AppNetResponse {
        guard let query = context.parameters["q"]?.trimming().lowercased(), !query.isEmpty else {
            throw AppNetFailure.badRequest("You must supply a q parameter.")
        }
        let count = min(max(try context.parameters.integer("count") ?? 20, 1), 200)
        let words = query.split(separator: " ").map(String.init)
        try require(words.count <= SearchQuery.maximumTerms, "A query has at most \(SearchQuery.maximumTerms) terms.")
        let found = try tables.users.all().filter { user in
            if query.hasPrefix("@") { return user.username.hasPrefix(query.dropFirst()) }
            let text = [user.username, user.name, user.description?.text ?? ""].joined(separator: " ").lowercased()
            return words.allSatisfy { text.contains($0) }
        }
        return .data(.array(try found.prefix(count).map(context.renderer.user)))
    }
}
