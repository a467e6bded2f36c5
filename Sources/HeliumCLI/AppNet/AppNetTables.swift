import AppNet
import Foundation
import HeliumKit

/// The text output for each kind of object.
enum AppNetTables {
    static func json(_ value: some Encodable) throws -> OutputText {
        OutputText(json: String(decoding: try HeliumJSONEncoder().encode(value), as: UTF8.self))
    }

    static func channels(_ channels: [AppNetChannel]) -> OutputText {
        var table = TextTable("ID", "TYPE", "OWNER", "MESSAGES", "UNREAD", "RECENT")
        for channel in channels {
            table.add(
                channel.id?.text,
                channel.type?.rawValue,
                channel.owner.flatMap(name),
                channel.counts?.messages.map(String.init),
                channel.hasUnread.map { $0 ? "yes" : "no" },
                channel.recentMessageID?.text
            )
        }
        return OutputText(table)
    }

    static func messages(_ messages: [Message]) -> OutputText {
        var table = TextTable("ID", "WRITTEN", "USER", "TEXT")
        for message in messages {
            table.add(message.id?.text, message.createdAt.map(date), name(message), text(message))
        }
        return OutputText(table)
    }

    static func message(_ message: Message) -> OutputText {
        var table = TextTable("MEMBER", "VALUE")
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { table.add(name, value) } }
        add("id", message.id?.text)
        add("channel", message.channelID?.text)
        add("user", name(message))
        add("written", message.createdAt.map(date))
        add("text", text(message))
        add("reply to", message.replyTo?.text)
        add("thread", message.threadID?.text)
        add("replies", message.replyCount.map(String.init))
        add("source", message.source?.name)
        for annotation in message.annotations ?? [] {
            add("annotation", "\(annotation.type) \(annotation.value.map { $0.text(formatting: []) } ?? "")")
        }
        return OutputText(table)
    }

    static func posts(_ posts: [Post]) -> OutputText {
        var table = TextTable("ID", "WRITTEN", "USER", "TEXT")
        for post in posts {
            table.add(post.id?.text, post.createdAt.map(date), post.user.flatMap(name), post.text)
        }
        return OutputText(table)
    }

    static func files(_ files: [File]) -> OutputText {
        var table = TextTable("ID", "NAME", "KIND", "TYPE", "SIZE", "COMPLETE", "PUBLIC", "URL")
        for file in files {
            table.add(
                file.id?.text,
                file.name,
                file.kind?.rawValue,
                file.mimeType,
                file.size.map(String.init),
                file.isComplete.map { $0 ? "yes" : "no" },
                file.isPublic.map { $0 ? "yes" : "no" },
                (file.permanentURL ?? file.shortURL)?.text
            )
        }
        return OutputText(table)
    }

    static func users(_ users: [AppNetUser]) -> OutputText {
        var table = TextTable("ID", "USER", "NAME", "POSTS", "FOLLOWERS")
        for user in users {
            table.add(
                user.id?.text,
                name(user),
                user.name,
                user.counts?.posts.map(String.init),
                user.counts?.followers.map(String.init)
            )
        }
        return OutputText(table)
    }

    static func user(_ user: AppNetUser) -> OutputText {
        var table = TextTable("MEMBER", "VALUE")
        func add(_ name: String, _ value: String?) { if let value, !value.isEmpty { table.add(name, value) } }
        add("id", user.id?.text)
        add("user", name(user))
        add("name", user.name)
        add("about", user.description?.text)
        add("timezone", user.timezone)
        add("locale", user.locale)
        add("since", user.createdAt.map(date))
        add("domain", user.verifiedDomain)
        add("posts", user.counts?.posts.map(String.init))
        add("followers", user.counts?.followers.map(String.init))
        add("following", user.counts?.following.map(String.init))
        return OutputText(table)
    }

    /// Returns a date in the form `2013-02-01T09:00:00Z`.
    static func date(_ date: Date) -> String { date.formatted(.iso8601) }

    static func name(_ user: AppNetUser) -> String? { user.username.map { "@\($0)" } }

    static func name(_ message: Message) -> String? { message.user.flatMap(name) ?? message.userID?.text }

    static func text(_ message: Message) -> String? {
        if message.isDeleted == true { return "(deleted)" }
        return message.text ?? (message.isMachineOnly == true ? "(annotations only)" : nil)
    }
}
