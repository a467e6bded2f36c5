import AppNet
import ArgumentParser
import MessageBeast

/// The `helium beast lookup` command.
struct BeastLookupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Find stored messages by hashtag, annotation or place, or list what they have. Needs no network.",
        discussion: "Without an option, lists the hashtags and places of the channel."
    )

    @OptionGroup var options: BeastOptions
    @OptionGroup var list: BeastListOptions

    @Option(help: ArgumentHelp("Messages with this hashtag.", valueName: "name"))
    var hashtag: String?

    @Option(help: ArgumentHelp("Messages with annotations of this type.", valueName: "type"))
    var annotation: String?

    @Option(help: ArgumentHelp("Messages at places whose names have these words.", valueName: "words"))
    var place: String?

    func validate() throws {
        let given = [hashtag, annotation, place].count { $0 != nil }
        if given > 1 { throw ValidationError("--hashtag, --annotation and --place exclude each other") }
    }

    func run() async throws {
        try await options.reading { manager in
            let channel = try await manager.channel(list.channel)
            guard let found = try await messages(in: channel, of: manager) else {
                return try await summarize(channel, of: manager)
            }
            try options.show(found.map(BeastMessage.init)) { BeastTables.messages(found) }
        }
    }

    private func messages(in channel: AppNetChannel.ID, of manager: MessageManager) async throws -> [MessagePlus]? {
        if let hashtag { return try await manager.messages(in: channel, hashtag: hashtag, limit: list.maximum) }
        if let annotation {
            return try await manager.messages(in: channel, annotationType: annotation, limit: list.maximum)
        }
        guard let place else { return nil }
        guard MessageManager.hasSearchableWords(place) else {
            throw CommandFailure("--place has no letters or digits: emoji and other signs cannot be searched for")
        }
        return try await manager.search(placeName: place, in: channel, limit: list.maximum)
    }

    /// A hashtag or a place with the number of its messages.
    private struct Use: Encodable {
        let kind: String
        let name: String
        let messages: Int
    }

    private func summarize(_ channel: AppNetChannel.ID, of manager: MessageManager) async throws {
        let tags = try await manager.hashtags(in: channel, limit: list.maximum)
        let places = try await manager.displayLocations(in: channel, limit: list.maximum)
        let uses =
            tags.map { Use(kind: "hashtag", name: $0.name, messages: $0.messageIDs.count) }
            + places.map { Use(kind: "place", name: $0.displayLocation.name, messages: $0.messageIDs.count) }
        try options.show(uses) {
            var table = TextTable("KIND", "NAME", "MESSAGES")
            for use in uses { table.add(use.kind, use.name, "\(use.messages)") }
            return OutputText(table)
        }
    }
}
