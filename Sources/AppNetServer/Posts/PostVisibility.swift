internal import GRDB

/// The rules for the posts that a list shows to a viewer (Docs/Protocols/AppNet.md §1.8).
struct PostVisibility {
    let database: Database
    let viewer: Int64?
    let options: GeneralParameters
    /// The user whose posts were requested. They are shown even if the user is muted.
    var askedFor: Int64?
    /// Whether posts directed to users that the viewer does not follow are shown.
    var includesDirected = true

    private let muted: Set<Int64>
    private let followed: Set<Int64>

    init(
        database: Database,
        viewer: Int64?,
        options: GeneralParameters,
        askedFor: Int64? = nil,
        includesDirected: Bool = true
    ) throws {
        self.database = database
        self.viewer = viewer
        self.options = options
        self.askedFor = askedFor
        self.includesDirected = options.includesDirectedPosts ?? includesDirected
        let relations = UserRelations(database: database)
        if let viewer, !options.includesMuted {
            muted = Set(try relations.objects(.mute, of: viewer) + relations.objects(.block, of: viewer))
        } else {
            muted = []
        }
        followed = if let viewer { Set(try relations.objects(.follow, of: viewer)) } else { [] }
    }

    /// Creates the visibility for a request's caller.
    init(_ context: AppNetContext, askedFor: Int64? = nil, includesDirected: Bool = true) throws {
        try self.init(
            database: context.database,
            viewer: context.caller.user,
            options: context.options,
            askedFor: askedFor,
            includesDirected: includesDirected
        )
    }

    func shows(_ post: PostRecord) throws -> Bool {
        if post.isDeleted, !options.includesDeleted { return false }
        if post.isMachineOnly, !options.includesMachine { return false }
        if isMuted(post.user) { return false }
        if let original = try post.repostOf.flatMap({ try PostTable(database: database).post($0) }),
            isMuted(original.user)
        {
            return false
        }
        guard !includesDirected, let viewer, post.user != viewer else { return true }
        let targets = try PostTable(database: database).leadingMentions(post.id)
        return targets.isEmpty || targets.contains { $0 == viewer || followed.contains($0) }
    }

    private func isMuted(_ user: Int64) -> Bool { muted.contains(user) && user != askedFor }
}
