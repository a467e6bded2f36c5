internal import HeliumJSON
internal import HeliumServerKit

/// A validated poll of a client (Docs/Protocols/AppNet.md §6.2).
struct PollDraft {
    private static let maximumPrompt = 256
    private static let maximumOption = 64
    private static let optionCount = 2...10
    /// The allowed duration of a poll in minutes, at most two weeks.
    private static let minutes: ClosedRange<Int64> = 1...20_160

    let prompt: String
    let type: String
    let options: [String]
    let maximumOptions: Int
    /// The time at which the poll closes, in seconds since 1970.
    let closes: Int64

    /// - Throws: ``AppNetFailure`` with 400 if the body is invalid.
    init(_ body: JSONValue, now: Int64) throws(AppNetFailure) {
        prompt = try Self.text(body["prompt"], "prompt", maximum: Self.maximumPrompt)
        guard let type = body["type"]?.stringValue, ChannelRules.isType(type) else {
            throw .badRequest("type must be a reversed domain name such as com.example.site.")
        }
        self.type = type
        options = try Self.options(body["options"])
        closes = try Self.closes(body, now)
        let maximum = try Self.integer(body["max_options"], "max_options") ?? 1
        guard 1...Int64(options.count) ~= maximum else {
            throw .badRequest("max_options must be a number from 1 to the number of options.")
        }
        maximumOptions = Int(maximum)
    }

    private static func options(_ sent: JSONValue?) throws(AppNetFailure) -> [String] {
        guard let sent = sent?.arrayValue, optionCount ~= sent.count else {
            throw .badRequest("options must be a list of 2 to 10 options.")
        }
        var options: [(position: Int64?, text: String)] = []
        for option in sent {
            let text = try text(option["text"], "An option's text", maximum: maximumOption)
            options.append((try integer(option["position"], "position"), text))
        }
        let positions = options.compactMap(\.position)
        guard positions.isEmpty || Set(positions) == Set(1...Int64(options.count)) else {
            throw .badRequest("Options have the positions 1 to \(options.count), or none.")
        }
        if !positions.isEmpty { options.sort { ($0.position ?? 0) < ($1.position ?? 0) } }
        return options.map(\.text)
    }

    private static func closes(_ body: JSONValue, _ now: Int64) throws(AppNetFailure) -> Int64 {
        if let minutes = try integer(body["duration"], "duration") {
            try require(Self.minutes ~= minutes, "duration must be 1 to \(Self.minutes.upperBound) minutes.")
            return now + minutes * 60
        }
        guard let text = body["closed_at"]?.stringValue, let closes = AppNetDate.seconds(text),
            now + 60...now + Self.minutes.upperBound * 60 ~= closes
        else { throw .badRequest("You must supply duration, or a closed_at of one minute to two weeks from now.") }
        return closes
    }

    /// Returns a number, or the number in a text of digits; `nil` if the member is missing.
    private static func integer(_ value: JSONValue?, _ name: String) throws(AppNetFailure) -> Int64? {
        guard let value, value != .null else { return nil }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }) else {
            throw .badRequest("\(name) must be a whole number.")
        }
        return number
    }

    /// Returns a text that is not empty. Each run of white space is replaced by one space.
    private static func text(_ value: JSONValue?, _ name: String, maximum: Int) throws(AppNetFailure) -> String {
        let written = value?.stringValue ?? ""
        // White space at the ends counts up to a limit, so that a long text is not searched.
        try require(written.utf8.count <= TextLimits.writtenBytes, "\(name) must have 1 to \(maximum) characters.")
        let text = written.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        try require(1...maximum ~= text.unicodeScalars.count, "\(name) must have 1 to \(maximum) characters.")
        return text
    }
}
