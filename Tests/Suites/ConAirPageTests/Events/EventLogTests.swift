import Testing

@testable import ConAirPage

@Suite("ConAirPage event log")
struct ConAirPageEventLogTests {
    private static func texts(_ events: ArraySlice<[UInt8]>?) -> [String]? {
        events?.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("the event log numbers events, and writes them as the standard defines")
    func form() {
        var log = EventLog(name: "a1")
        #expect(log.lastID == "a1-0")
        let event = log.append("state", Array(#"{"a":1}"#.utf8))
        #expect(String(decoding: event, as: UTF8.self) == "id: a1-1\nevent: state\ndata: {\"a\":1}\n\n")
        #expect(log.lastID == "a1-1")
    }

    @Test("the event log has the events after an id")
    func replay() {
        var log = EventLog(name: "a")
        let events = (1...3).map { log.append("changes", Array("\($0)".utf8)) }
        #expect(log.events(after: "a-0").map(Array.init) == events)
        #expect(log.events(after: "a-2").map(Array.init) == [events[2]])
        #expect(log.events(after: "a-3")?.isEmpty == true)
    }

    @Test(
        "the event log does not know ids of other logs, of the future, and invalid ones",
        arguments: [nil, "", "a", "a-", "b-1", "a-4", "a--1", "a-+1", "a-1x", "a-99999999999999999999", "aa-1", "A-1"]
    )
    func unknown(id: String?) {
        var log = EventLog(name: "a")
        for number in 1...3 { _ = log.append("changes", Array("\(number)".utf8)) }
        #expect(log.events(after: id) == nil)
    }

    @Test("the event log keeps the newest events within its limits")
    func limits() {
        var log = EventLog(name: "a")
        for _ in 0..<(EventLog.maximumCount + 10) { _ = log.append("changes", []) }
        #expect(log.events(after: "a-9") == nil)
        #expect(log.events(after: "a-10")?.count == EventLog.maximumCount)
        _ = log.append("changes", [UInt8](repeating: 0x20, count: EventLog.maximumBytes - 40))
        #expect(log.events(after: "a-\(EventLog.maximumCount + 10)")?.count == 1)
        #expect(log.events(after: "a-\(EventLog.maximumCount)") == nil)
        _ = log.append("changes", [UInt8](repeating: 0x20, count: EventLog.maximumBytes))
        #expect(log.events(after: "a-\(EventLog.maximumCount + 11)") == nil)
        #expect(log.events(after: log.lastID)?.isEmpty == true)
    }

    @Test("the event log is emptied, and continues with another number")
    func forget() {
        var log = EventLog(name: "a")
        _ = log.append("changes", [])
        #expect(log.forget() == "a-2")
        #expect(log.events(after: "a-1") == nil)
        #expect(log.events(after: "a-2")?.isEmpty == true)
        let next = log.append("changes", [])
        #expect(Self.texts(log.events(after: "a-2")) == [String(decoding: next, as: UTF8.self)])
    }
}
