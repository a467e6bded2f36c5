internal import HeliumJSON
internal import HeliumServerKit

extension AppNetCall {
    var messages: AppNetMessageTable { AppNetMessageTable(database: database) }

    /// `POST channels/{channel}/messages`, where the channel may be `pm`.
    func createMessage() throws -> AppNetAnswer {
        let body = try body()
        var channel =
            try segment("channel") == "pm" ? privateChannel(body["destinations"]) : self.channel(allowing: .writers)
        guard !channel.isInactive else { throw AppNetFailure.badRequest("This channel is inactive.") }
        guard try messages.count() < maxima.messages else { throw AppNetFailure.full("messages") }
        var message = try message(body, in: channel)
        message = try messages.insert(message)
        if message.id > 0 {
            let name = request.isPnut ? "object_id" : "message_id"
            message.text = message.text?.replacingTemplates(name, with: message.id)
            message.annotations = message.annotations.map { AnnotationTemplates.replaced($0, name, message.id) }
            try messages.update(message)
        }
        try attachments.note(message.annotations, of: .message, message.id)
        channel.messages += 1
        channel.recentMessage = message.id
        channel.activity = try settings.next("activity")
        try channels.update(channel)
        try tell(message, isDeleted: false)
        return .data(try renderer.message(message, in: channel))
    }

    /// What the body says, checked (§2.2); counts as a reply at once.
    private func message(_ body: JSONValue, in channel: AppNetChannel) throws -> AppNetMessage {
        var message = AppNetMessage(
            id: 0,
            channel: channel.id,
            user: try me(),
            client: try token().client,
            created: now,
            thread: 0,
            isMachineOnly: body["machine_only"]?.lenientFlag ?? false
        )
        let rules = AnnotationRules(
            call: self,
            place: .message(channelType: channel.type)
        )
        message.annotations = try rules.created(body["annotations"])
        let text = body["text"] == .null ? nil : body["text"]
        if message.isMachineOnly {
            guard channel.type != AppNetChannel.privateMessages else {
                throw AppNetFailure.badRequest("Private messages cannot be machine only.")
            }
            guard text == nil, !message.annotations.isEmpty else {
                throw AppNetFailure.badRequest("A machine only message has annotations and no text.")
            }
            message.entities.mentions = try machineMentions(body["entities"])
        } else {
            guard let text = text?.stringValue, !text.isEmpty else {
                throw AppNetFailure.badRequest("You must supply text.")
            }
            let written = try WrittenText(text: text, entities: body["entities"], isPnut: request.isPnut)
            message.text = try textProcessor.process(written, maximum: TextLimits.message)
        }
        if let sent = body["reply_to"], sent != .null {
            guard let id = sent.lenientText.flatMap({ Int64($0) }), var parent = try messages.message(id),
                parent.channel == channel.id, !parent.isDeleted
            else { throw AppNetFailure.badRequest("reply_to names no message of this channel.") }
            message.replyTo = parent.id
            message.thread = parent.thread
            parent.replies += 1
            try messages.update(parent)
        }
        return message
    }

    /// The mentions of a machine only object: by name or id, without a place in a text (§3.6).
    ///
    /// - Throws: ``AppNetFailure`` with 400 for more than ten, and for somebody who does not exist.
    func machineMentions(_ entities: JSONValue?) throws -> [AppNetEntities.Mention] {
        guard let sent = entities?["mentions"], sent != .null else { return [] }
        guard let sent = sent.arrayValue, sent.count <= 10 else {
            throw AppNetFailure.badRequest("entities.mentions must be a list of at most 10.")
        }
        return try sent.map { mention in
            let name = mention["name"]?.stringValue.map { "@\($0)" } ?? mention["id"]?.lenientText
            guard let user = try name.flatMap(namedUser) else {
                throw AppNetFailure.badRequest("entities.mentions names a user that does not exist.")
            }
            return AppNetEntities.Mention(name: user.username, id: user.id, position: 0, length: 0, isLeading: true)
        }
    }

    /// The private conversation of the caller and exactly these people, made where there is none (§2.1).
    private func privateChannel(_ destinations: JSONValue?) throws -> AppNetChannel {
        let me = try me()
        guard caller.viewer.scopes.contains(.messages) else {
            throw AppNetFailure.forbidden("This call requires the scope: messages.")
        }
        guard let names = destinations?.textList else {
            throw AppNetFailure.badRequest("You must supply destinations, a list of users.")
        }
        var others: Set<Int64> = []
        var asked: Set<ByteText> = []
        for name in names where asked.insert(name) {
            guard let user = try namedUser(name) else {
                throw AppNetFailure.badRequest("destinations names a user that does not exist.")
            }
            guard try user.id == me || relations.mayFollow(me, user.id) else {
                throw AppNetFailure.forbidden("You cannot write to @\(user.username).")
            }
            others.insert(user.id)
        }
        others.remove(me)
        guard 1...ChannelRules.maximumUsers ~= others.count else {
            throw AppNetFailure.badRequest("destinations must name 1 to \(ChannelRules.maximumUsers) other users.")
        }
        let members = others.union([me]).sorted()
        let key = members.map(String.init).joined(separator: ",")
        var channel = try channels.channel(members: key) ?? newPrivateChannel(of: me, with: others.sorted(), key: key)
        for user in members where try !audience.hasMuted(user, channel.id) { try subscribe(user, to: channel) }
        if let fresh = try channels.channel(channel.id) { channel = fresh }
        return channel
    }

    private func newPrivateChannel(of owner: Int64, with others: [Int64], key: String) throws -> AppNetChannel {
        var channel = AppNetChannel(id: 0, type: AppNetChannel.privateMessages, owner: owner, created: now)
        channel.readers.isImmutable = true
        channel.writers.isImmutable = true
        channel.writers.users = others
        channel.members = key
        channel = try insert(channel)
        effects.append(AppNetEvent(kind: .channel, object: channel.id, channel: channel.id, actor: owner))
        return channel
    }

    func tell(_ message: AppNetMessage, isDeleted: Bool) throws {
        effects.append(
            AppNetEvent(
                kind: .message,
                object: message.id,
                channel: message.channel,
                actor: message.user,
                isDeleted: isDeleted,
                users: try audience.subscribers(of: message.channel)
            )
        )
    }
}
