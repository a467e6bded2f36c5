import AppNet
import BenchmarkHarness
import Foundation

@testable import MessageBeast

/// Look-ups in a channel of many messages, with everything extracted: wall-clock time, because callers wait for it.
///
/// The messages of other channels have the same words, hashtags, annotations and places. Their indexes know no channel.
struct ChannelMeasurement {
    let store: Store
    let count: Int
    let rounds: Int

    private static let group = "beast-channel"
    private static let tag = "tag7"
    private static let otherChannels = (1...49).map { AppNetChannel.ID(1000 + $0) }
    /// The number of messages of each other channel.
    private static let otherCount = 400

    func run() async throws -> [OperationResult] {
        let manager = try await store.manager("channel.sqlite", .extracting(true))
        try await store.addChannels(Self.otherChannels, to: manager)
        let taggedCount = try await fill(manager)
        let results = try await lookups(manager, taggedCount)
        await manager.stop()
        return results
    }

    /// Stores a part of the channel's messages, then those of another channel, and so on.
    ///
    /// - Returns: The number of the channel's messages with the hashtag.
    private func fill(_ manager: MessageManager) async throws -> Int {
        let source = Messages()
        let size = count / Self.otherChannels.count + 1
        var taggedCount = 0
        for (number, channel) in Self.otherChannels.enumerated() {
            let start = number * size + 1
            let messages = (start..<min(start + size, count + 1)).map(source.message)
            taggedCount += messages.count { $0.text?.hasSuffix("#\(Self.tag)") ?? false }
            try await manager.ingest(messages, try messages.map(IncomingMessage.text))
            let first = count + number * Self.otherCount + 1
            let others = (first..<first + Self.otherCount).map { number in
                var message = source.message(number)
                message.channelID = channel
                return message
            }
            try await manager.ingest(others, try others.map(IncomingMessage.text), in: channel)
        }
        return taggedCount
    }

    /// The newest page, the first page of what most messages have, and all of what one in a hundred or less has.
    private func lookups(_ manager: MessageManager, _ taggedCount: Int) async throws -> [OperationResult] {
        let channel = Messages.channel
        let home = DisplayLocation(name: "Home Sweet Home", latitude: 50.123, longitude: 8.456, source: .ohai)
        let hits = count / 100
        return [
            try await measure("the newest page") {
                try await manager.page(of: channel, limit: 50).messages.count == 50
            },
            try await measure("a hashtag") {
                try await manager.messages(in: channel, hashtag: Self.tag).count == taggedCount
            },
            try await measure("an annotation type") {
                try await manager.messages(in: channel, annotationType: OEmbed.annotationType, limit: 50).count == 50
            },
            try await measure("a place") {
                try await manager.messages(in: channel, at: home, limit: 50).count == 50
            },
            // The space ends the word: else it would be the beginning of one.
            try await measure("a text with 1,000 hits") {
                try await manager.search(text: "hundredth ", in: channel).count == hits
            },
        ]
    }

    private func measure(_ operation: String, _ body: () async throws -> Bool) async throws -> OperationResult {
        try await OperationResult(Self.group, operation, runs: rounds, body)
    }
}
