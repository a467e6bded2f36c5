import AppNet
import Foundation
import HeliumJSON

@testable import MessageBeast

/// Messages as performance.md §5 has them: about 115 bytes of text from a vocabulary in which few words are frequent, and a
/// document of about 1 KB. A message is the same each time.
struct Messages {
    static let channel: AppNetChannel.ID = 100
    private static let start = Date(timeIntervalSince1970: 1_400_000_000)
    private static let filler = JSONValue.string(String(repeating: "abcdefghij ", count: 60))
    private let vocabulary = (0..<20_000).map { "w\(String($0, radix: 36))x" }

    /// The message with a number from 1.
    ///
    /// One in two has `half`, one in 100 `hundredth`, one in 10,000 `rare`.
    func message(_ number: Int) -> Message {
        var random = Generator(seed: UInt64(number))
        var text = ""
        while text.utf8.count < 105 {
            let (left, right) = (random.next(20_000), random.next(20_000))
            text += vocabulary[min(left, right) * min(left, right) / 20_000] + " "
        }
        if number % 2 == 0 { text += "half #tag\(random.next(500))" }
        if number % 100 == 3 { text += " hundredth" }
        if number % 10_000 == 77 { text += " rare" }
        if number % 50 == 7 { text += " 今日は日本語を勉強します" }
        var annotations = [
            Annotation(type: "net.example.mood", value: ["level": 3]),
            Annotation(type: OEmbed.annotationType, value: ["type": "photo", "filler": Self.filler]),
        ]
        if number % 5 == 0 {
            let place: JSONValue = [
                "id": .string("u\(random.next(300))"), "name": "Home Sweet Home", "latitude": 50.123,
                "longitude": 8.456,
            ]
            annotations.append(Annotation(type: OhaiLocation.annotationType, value: place))
        }
        return Message(
            id: Message.ID(number),
            channelID: Self.channel,
            user: nil,
            createdAt: Self.start.addingTimeInterval(Double(number)),
            text: text,
            entities: TextProcessor().process(text).entities,
            annotations: annotations
        )
    }

    private struct Generator {
        var state: UInt64

        init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }
}

extension MessageManagerConfiguration {
    /// Returns a configuration that extracts everything or nothing.
    static func extracting(_ all: Bool) -> Self {
        var configuration = Self()
        guard all else { return configuration }
        configuration.isHashtagExtractionEnabled = true
        configuration.isLocationLookupEnabled = true
        configuration.annotationTypes = ["net.example.mood", OEmbed.annotationType]
        return configuration
    }
}
