import AppNet
import Foundation
import HeliumConcurrency
import HeliumCore
import HeliumKit
import MessageBeast
import Synchronization
import TestSupport

/// A process with an engine on a file.
struct Child {
    let options: ChildOptions

    /// The longest life of a child that is not killed. A child that is to end at a crash point reaches it sooner or
    /// later. On a slow machine that takes longer.
    private var lifetime: Duration { .seconds(options.point == nil ? 60 : 180) }
    /// The account of `alice` on the server.
    private static let account = AppNetUser.ID("1")

    init(_ options: ChildOptions) throws {
        self.options = options
        // A parent that is gone must not end it with an error of its own.
        signal(SIGPIPE, SIG_IGN)
    }

    func run() async throws {
        let manager = try engine()
        try await manager.start()
        JournalLine.ready.write()
        switch options.mode {
        case .work: try await work(manager)
        case .settle: try await settle(manager)
        case .fill: try await fill(manager)
        case .drain: try await drain(manager)
        case .open: try await report(manager.check())
        }
        await manager.stop()
        JournalLine.over.write()
    }

    private func engine() throws -> MessageManager {
        guard let url = URL(string: options.server) else { throw ArgumentError(description: "invalid URL") }
        let client = try AppNetClient(configuration: AppNetConfiguration(token: "alice-token", baseURL: url))
        var engineOptions = MessageManager.Options()
        engineOptions.pageSize = 7
        let crash = CrashHook(options)
        engineOptions.reached = { crash.reached($0) }
        return try MessageManager(
            client: client,
            account: Self.account,
            store: .file(options.database),
            options: engineOptions
        )
    }

    // MARK: Work

    private func work(_ manager: MessageManager) async throws {
        var random = SeededRandom(seed: options.seed)
        let channel = try await manager.privateChannel(ofType: options.channelType).id
        let actions = try await actions(of: channel, manager)
        let end = ContinuousClock.now + lifetime
        var lastDeletion: (id: Message.ID, text: String)?
        var number = 0
        while ContinuousClock.now < end {
            number += 1
            switch random.below(24) {
            case 0..<9:
                let isHurried = !random.oneIn(4)
                let text = "Message \(options.seed)-\(number)"
                _ = try await create(text, in: channel, sendsImmediately: isHurried, manager)
            case 22:
                // The action waits for its target, and gets the target's id when that is sent.
                let text = "Message \(options.seed)-\(number)"
                let target = try await create(text, in: channel, sendsImmediately: false, manager)
                if let target { try await mark(target, text, actions, manager) }
            case 23:
                let text = "Message \(options.seed)-\(number)"
                let id = try await create(text, in: channel, sendsImmediately: false, manager)
                if let id { try await edit(id, text, manager) }
            case 20:
                let text = "Filed \(options.channelType) \(options.seed)-\(number)"
                try await createWithFile(text, in: channel, manager)
            case 21: try await act(actions, on: channel, &random, manager)
            case 9..<13: lastDeletion = try await delete(in: channel, &random, manager) ?? lastDeletion
            case 13: if let last = lastDeletion.take() { try await undelete(last, manager) }
            case 14, 15: try await tolerating { _ = try await manager.fetchNewest(in: channel) }
            case 16: try await tolerating { try await manager.fullSync(of: channel).run() }
            case 17: try await tolerating { _ = try await manager.reconcile(channel) }
            case 18: try await tolerating { try await manager.sendAll(in: channel) }
            default:
                let type = "\(options.channelType).\(random.below(3))"
                try await tolerating { _ = try await manager.privateChannel(ofType: type) }
            }
        }
    }

    private func create(
        _ text: String,
        in channel: AppNetChannel.ID,
        sendsImmediately: Bool,
        _ manager: MessageManager
    ) async throws -> Message.ID? {
        JournalLine.creating(text).write()
        let created = try await manager.create(Message(text: text), in: channel, sendsImmediately: sendsImmediately)
        JournalLine.created(text).write()
        return created.message.id
    }

    private func actions(of channel: AppNetChannel.ID, _ manager: MessageManager) async throws -> AppNetChannel.ID {
        try await manager.actions.channel(ofType: "com.example.favorite", target: channel).id
    }

    private func createWithFile(_ text: String, in channel: AppNetChannel.ID, _ manager: MessageManager) async throws {
        let file = try await manager.stage(Data(text.utf8), name: text, type: "com.example.file")
        JournalLine.creating(text).write()
        _ = try await manager.create(
            Message(text: text),
            in: channel,
            attachments: [PendingFileAttachment(pendingFileID: file.id, isOEmbed: false)]
        )
        JournalLine.created(text).write()
    }

    private func edit(_ id: Message.ID, _ text: String, _ manager: MessageManager) async throws {
        JournalLine.editing(text).write()
        do {
            _ = try await manager.edit(id, to: Message(text: text + JournalLine.edit))
        } catch let error as MessageBeastError where [.notEditable, .notFound].contains(error.kind) {
            // It was sent in the meantime.
            JournalLine.unedited(text).write()
            return
        } catch is AppNetError {
            JournalLine.unedited(text).write()
            return
        }
        JournalLine.edited(text).write()
    }

    /// Puts the action on a message, or takes it off.
    private func act(
        _ actions: AppNetChannel.ID,
        on channel: AppNetChannel.ID,
        _ random: inout SeededRandom,
        _ manager: MessageManager
    ) async throws {
        let messages = try await manager.page(of: channel, limit: 5).messages
        guard !messages.isEmpty else { return }
        let message = random.pick(messages).message
        guard let id = message.id, let text = message.text.map(JournalLine.original) else { return }
        guard random.oneIn(3) else { return try await mark(id, text, actions, manager) }
        try await tolerating {
            JournalLine.unmarking(text).write()
            try await manager.actions.remove(actions, from: id)
            JournalLine.unmarked(text).write()
        }
    }

    private func mark(
        _ id: Message.ID,
        _ text: String,
        _ actions: AppNetChannel.ID,
        _ manager: MessageManager
    ) async throws {
        try await tolerating {
            JournalLine.marking(text).write()
            try await manager.actions.apply(actions, to: id)
            JournalLine.marked(text).write()
        }
    }

    private func delete(
        in channel: AppNetChannel.ID,
        _ random: inout SeededRandom,
        _ manager: MessageManager
    ) async throws -> (Message.ID, String)? {
        let messages = try await manager.page(of: channel, limit: 20).messages.filter { $0.message.text != nil }
        guard !messages.isEmpty else { return nil }
        let message = random.pick(messages).message
        guard let id = message.id, let text = message.text.map(JournalLine.original) else { return nil }
        JournalLine.deleting(text).write()
        do {
            try await manager.delete(id)
        } catch let error as MessageBeastError where error.kind == .notFound {
            JournalLine.unchanged(text).write()
            return nil
        }
        JournalLine.deleted(text).write()
        return (id, text)
    }

    private func undelete(_ deletion: (id: Message.ID, text: String), _ manager: MessageManager) async throws {
        JournalLine.undeleting(deletion.text).write()
        let isBack = try await manager.cancelDeletion(of: deletion.id)
        (isBack ? JournalLine.undeleted(deletion.text) : .deleted(deletion.text)).write()
    }

    /// Runs a call whose failure is no fault of the engine: a request that the parent delays, or work of others.
    private func tolerating(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch is AppNetError {
        } catch let error as MessageBeastError where [.blocked, .notFound].contains(error.kind) {}
    }

    // MARK: Rest

    private func settle(_ manager: MessageManager) async throws {
        let channel = try await manager.privateChannel(ofType: options.channelType).id
        let actions = try await actions(of: channel, manager)
        var isQuiet = false
        for _ in 0..<20 where !isQuiet {
            try await manager.sendAll()
            let areActionsQuiet = try await isUpToDate(actions, manager)
            isQuiet = try await isUpToDate(channel, manager) && areActionsQuiet
            if !isQuiet { try await Task.sleep(for: .milliseconds(100)) }
        }
        // Nothing is parked: no other device deletes, and no request is refused.
        for parked in try await manager.parkedMessages() {
            let message = parked.message.message
            let target = message.annotations?.first { $0.type == MessageBeastNames.targetMessage }
            let name = message.text.map { "\"\($0)\"" } ?? "the action on \(target?.value?.description ?? "nothing")"
            JournalLine.problem("\(name) is parked: \(parked.reason.code)").write()
        }
        if !isQuiet {
            JournalLine.problem("there is no rest after 20 rounds: \(try await manager.pendingSummary())").write()
        }
        for message in try await manager.page(of: channel, limit: nil).messages {
            guard message.state == .sent else { continue }
            let (id, text) = (message.message.id?.number ?? 0, message.message.text ?? "")
            JournalLine.row(id: id, date: message.cursor.displayDate, text: text).write()
        }
        for message in try await manager.actions.actionedMessages(in: actions) where message.state == .sent {
            JournalLine.acted(id: message.message.id?.number ?? 0).write()
        }
        for channel in try await manager.channels() {
            guard let id = channel.id.number else { continue }
            JournalLine.channel(id: id, type: channel.type).write()
        }
        try await report(manager.check())
    }

    /// Fetches everything.
    ///
    /// - Returns: Whether nothing is left to do, and nothing has changed.
    private func isUpToDate(_ channel: AppNetChannel.ID, _ manager: MessageManager) async throws -> Bool {
        guard case .fetched(let summary) = try await manager.fetchNewest(in: channel) else { return false }
        do {
            try await manager.fullSync(of: channel).run()
        } catch let error as MessageBeastError where error.kind == .blocked {
            return false
        }
        let removed = try await manager.reconcile(channel).removed
        let pending = try await manager.pendingSummary()
        return summary.inserted + summary.updated + summary.removed + removed == 0
            && pending.messages + pending.actions + pending.deletions == 0
    }

    private func report(_ problems: [String]) async throws {
        for problem in problems { JournalLine.problem(problem).write() }
    }

    // MARK: Two processes

    private func fill(_ manager: MessageManager) async throws {
        var channels: [AppNetChannel.ID] = []
        for number in 0..<4 {
            channels.append(try await manager.privateChannel(ofType: "\(options.channelType).\(number)").id)
        }
        for number in 0..<options.count {
            let text = "Drained \(number)"
            let channel = channels[number % channels.count]
            _ = try await manager.create(Message(text: text), in: channel, sendsImmediately: false)
            JournalLine.created(text).write()
        }
    }

    private func drain(_ manager: MessageManager) async throws {
        let end = ContinuousClock.now + .seconds(90)
        let channels = try await manager.channels().map(\.id)
        while try await manager.pendingSummary().messages > 0, ContinuousClock.now < end {
            try await withThrowingTaskGroup { group in
                for channel in channels { group.addTask { try await manager.sendAll(in: channel) } }
                try await group.waitForAll()
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// Ends the process at a crash point.
private final class CrashHook: Sendable {
    private let point: CrashPoint?
    private let left: Guarded<Int>

    init(_ options: ChildOptions) {
        point = options.point
        left = Guarded(options.passes)
    }

    func reached(_ reached: CrashPoint) {
        if reached == point {
            let isDue = left.withLock { left in
                defer { left -= 1 }
                return left == 0
            }
            guard isDue else { return }
            end(at: reached)
        }
    }

    private func end(at point: CrashPoint) {
        JournalLine.point(point.rawValue).write()
        kill(getpid(), SIGKILL)
    }
}
