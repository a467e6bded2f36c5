/// The filter for lists of messages. The options of the request include or exclude messages that are deleted, machine
/// only or by muted users (Docs/Protocols/AppNet.md §1.8).
struct MessageFilter {
    private let options: GeneralParameters
    private let muted: Set<Int64>

    init(_ context: AppNetContext) throws {
        options = context.options
        muted = try context.caller.user.map { Set(try context.tables.relations.objects(.mute, of: $0)) } ?? []
    }

    func includes(_ message: AppNetMessage) -> Bool {
        (options.includesDeleted || !message.isDeleted) && (options.includesMachine || !message.isMachineOnly)
            && (options.includesMuted || !muted.contains(message.user))
    }
}
