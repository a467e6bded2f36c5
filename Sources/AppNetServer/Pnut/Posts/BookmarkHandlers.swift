internal import HeliumJSON
internal import HeliumServerKit

/// pnut's calls for bookmarks, which are App.net's stars with notes (Docs/Protocols/AppNet.md §6.2).
struct BookmarkHandlers: RequestScoped {
    /// The maximum length of a note on a bookmark, in code points.
    private static let maximumNote = 128

    let context: AppNetContext

    /// Handles `PUT posts/{id}/bookmark`. The note is only visible to the caller.
    func set() throws -> AppNetResponse {
        let note = try context.body()["note"]
        guard
            note == nil || note == .null
                || note?.stringValue.map({ $0.unicodeScalars.count <= Self.maximumNote }) ?? false
        else { throw AppNetFailure.badRequest("note must be a text of at most \(Self.maximumNote) characters.") }
        let answer = try PostReactionHandlers(context).setStar(true)
        if let note = note?.stringValue, let star = try tables.posts.star(context.id("id"), by: context.me()) {
            try tables.marks.setNote(note, on: star.id)
        }
        return answer
    }

    /// Handles `GET users/{user}/bookmarks`. The caller's own bookmarks contain their notes.
    func list() throws -> AppNetResponse {
        let isMine = try UserFinder(context).user().id == context.caller.user
        var answer = try PostStreamHandlers(context).listStarred()
        guard isMine, case .data(.array(let posts)) = answer.content else { return answer }
        let noted = try posts.map { post -> JSONValue in
            guard let star = post["pagination_id"]?.stringValue.flatMap({ Int64($0) }),
                let note = try tables.marks.note(on: star)
            else { return post }
            var post = post
            post["note"] = .string(note)
            return post
        }
        answer.content = .data(.array(noted))
        return answer
    }
}
