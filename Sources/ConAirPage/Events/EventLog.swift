/// The newest events, for readers that were disconnected for a while.
///
/// The id of an event consists of the name of the log and a number. Each run of the program has another name, so the
/// ids of earlier runs are unknown.
struct EventLog: Sendable {
    /// The maximum number of kept events.
    static let maximumCount = 512
    /// The maximum total size of the kept events, in bytes. They are sent at once and must fit into a reader's buffer.
    static let maximumBytes = 128 * 1024

    private let name: String
    private var lastNumber = 0
    private var events: [[UInt8]] = []
    private var byteCount = 0

    /// Creates an empty log.
    ///
    /// - Parameter name: The name, which differs in each run: letters and digits.
    init(name: String) { self.name = name }

    /// The id of the newest event, or of the state before the first event.
    var lastID: String { id(lastNumber) }

    /// Appends an event.
    ///
    /// - Returns: The bytes of the event.
    mutating func append(_ eventName: String, _ data: [UInt8]) -> [UInt8] {
        lastNumber += 1
        let event = EventText.event(id: lastID, eventName, data)
        events.append(event)
        byteCount += event.count
        while events.count > Self.maximumCount || byteCount > Self.maximumBytes {
            byteCount -= events.removeFirst().count
        }
        return event
    }

    /// Removes all events. After a change that is too long for an event, readers need a snapshot.
    ///
    /// - Returns: The id of the snapshot.
    mutating func forget() -> String {
        lastNumber += 1
        events = []
        byteCount = 0
        return lastID
    }

    /// Returns the events after an id, oldest first; `nil` if some of them were removed or the id is unknown.
    func events(after id: String?) -> ArraySlice<[UInt8]>? {
        guard let id, let number = number(of: id), number <= lastNumber else { return nil }
        let missed = lastNumber - number
        return missed <= events.count ? events.suffix(missed) : nil
    }

    private func id(_ number: Int) -> String { "\(name)-\(number)" }

    private func number(of id: String) -> Int? {
        guard id.hasPrefix("\(name)-") else { return nil }
        let digits = id.utf8.dropFirst(name.utf8.count + 1)
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
