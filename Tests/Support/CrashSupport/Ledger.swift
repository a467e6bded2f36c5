/// The calls that the children were asked to make, and those that they have acknowledged.
///
/// Messages are named by the texts that they were created with.
struct Ledger {
    enum Deletion {
        case unknown
        case acknowledged
        case undone
    }

    /// Of an edit, or of an action.
    enum State {
        case unknown
        case on
        case off
    }

    /// The texts of created messages, in the order of the calls.
    private(set) var creations: [String] = []
    private(set) var acknowledged: Set<String> = []
    private(set) var deletions: [String: Deletion] = [:]
    private(set) var edits: [String: State] = [:]
    private(set) var actions: [String: State] = [:]

    /// The calls about each message and what came of them, in their order.
    private var calls: [String: [String]] = [:]

    mutating func add(_ line: JournalLine) {
        if let (verb, text) = line.call { calls[text, default: []].append(verb) }
        switch line {
        case .creating(let text): creations.append(text)
        case .created(let text): acknowledged.insert(text)
        case .deleting(let text), .undeleting(let text): deletions[text] = .unknown
        case .deleted(let text): deletions[text] = .acknowledged
        case .undeleted(let text), .unchanged(let text): deletions[text] = .undone
        case .editing(let text): edits[text] = .unknown
        case .edited(let text): edits[text] = .on
        case .unedited(let text): edits[text] = .off
        case .marking(let text), .unmarking(let text): actions[text] = .unknown
        case .marked(let text): actions[text] = .on
        case .unmarked(let text): actions[text] = .off
        case .ready, .point, .row, .acted, .channel, .problem, .over: break
        }
    }

    /// The calls on a message, for people who look for the cause of a finding.
    private func named(_ text: String) -> String {
        "\"\(text)\" (\(calls[JournalLine.original(text), default: []].joined(separator: ", ")))"
    }

    /// Messages that another device has written.
    mutating func add(others texts: [String]) { acknowledged.formUnion(texts) }

    /// The final state when no work is left, by the ids of messages.
    struct Rest {
        /// The live messages of the server, and the rows of the device.
        var server: [Int: String] = [:]
        var device: [Int: String] = [:]
        /// The dates of the rows.
        var dates: [Int: Int64] = [:]
        /// The number of live actions on the server.
        var actions: [Int: Int] = [:]
        /// The messages that the action is on, on the device.
        var acted: Set<Int> = []
    }

    /// Compares with what is found when all is quiet.
    ///
    /// - Returns: The first difference.
    func fault(_ rest: Rest) -> String? {
        let (server, device) = (rest.server, rest.device)
        var copies: [String: [Int]] = [:]
        for (id, text) in server { copies[JournalLine.original(text), default: []].append(id) }
        for (text, ids) in copies.sorted(by: { $0.key < $1.key }) {
            if ids.count > 1 { return "\(ids.count) copies of \(named(text))" }
            if deletions[text] == .acknowledged { return "\(named(text)) was deleted, and is live" }
        }
        for text in acknowledged.sorted() where copies[text] == nil {
            let deletion = deletions[text]
            if deletion == nil || deletion == .undone { return "\(named(text)) was acknowledged, and is lost" }
        }
        for (id, text) in server.sorted(by: { $0.key < $1.key }) {
            if device[id] != text { return "the device lacks \(id) \(named(text))" }
            let original = JournalLine.original(text)
            let edit = edits[original] ?? .off
            if edit != .unknown, (edit == .on) != (text != original) { return "the edit of \(named(text)) is \(edit)" }
            if let fault = actionFault(id, original, rest) { return "the action on \(named(text)) \(fault)" }
        }
        for (id, text) in device.sorted(by: { $0.key < $1.key }) where server[id] == nil {
            return "the device still has \(id) \(named(text))"
        }
        return disorder(copies)
    }

    /// The fault of the action on a message.
    private func actionFault(_ id: Int, _ text: String, _ rest: Rest) -> String? {
        let (state, count) = (actions[text] ?? .off, rest.actions[id] ?? 0)
        let facts = "is \(state), there \(count) times, and \(rest.acted.contains(id) ? "on" : "off") on the device"
        if count > 1 || state == .off && count > 0 { return facts }
        let isOn = count == 1
        return state != .unknown && (state == .on) != isOn || rest.acted.contains(id) != isOn ? facts : nil
    }

    private func disorder(_ copies: [String: [Int]]) -> String? {
        var last = 0
        for text in creations {
            guard let id = copies[text]?.first else { continue }
            if id < last { return "\(named(text)) was sent before an earlier message" }
            last = id
        }
        return nil
    }
}
