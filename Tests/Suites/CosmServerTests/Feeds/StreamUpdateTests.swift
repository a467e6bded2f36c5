import HeliumServer
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("Writes to a datastream of Cosm")
struct StreamUpdateTests {
    static let now = stamp("2013-06-15T12:00:00Z")

    private var stream: DatastreamRecord {
        var stream = DatastreamRecord(number: 1, feed: 1, id: "temp")
        stream.currentValue = "20"
        stream.at = stamp("2013-06-15T11:00:00Z")
        stream.minimum = 10
        stream.maximum = 30
        return stream
    }

    private func point(_ text: String, _ value: String) -> Datapoint { Datapoint(at: stamp(text), value: value) }

    @Test("a value without a timestamp gets the time of its arrival and becomes the current value")
    func arrival() {
        let update = StreamUpdate(DatastreamInput(currentValue: .set("21")), to: stream, at: Self.now)
        #expect(update.points == [Datapoint(at: Self.now, value: "21")])
        #expect(update.stream.currentValue == "21")
        #expect(update.stream.at == Self.now)
        #expect(update.stream.updated == Self.now)
        #expect(update.isChanged)
    }

    @Test("a point older than the current value only enters the history")
    func history() {
        let update = StreamUpdate([point("2013-06-15T10:59:59.999999Z", "25")], to: stream, at: Self.now)
        #expect(update.points.count == 1)
        #expect(update.newCurrent == nil)
        #expect(!update.isChanged)
        #expect(update.stream.currentValue == "20")
        #expect(update.stream.updated == Self.now)
    }

    @Test("a point at the instant of the current value replaces it")
    func sameInstant() {
        let update = StreamUpdate([point("2013-06-15T11:00:00Z", "25")], to: stream, at: Self.now)
        #expect(update.stream.currentValue == "25")
        #expect(update.newCurrent?.value == "25")
    }

    @Test("the newest of several points becomes the current value, and the last one of an instant counts")
    func several() {
        let points = [
            point("2013-06-15T11:30:00Z", "1"), point("2013-06-15T11:40:00Z", "2"), point("2013-06-15T11:20:00Z", "3"),
            point("2013-06-15T11:40:00Z", "4"),
        ]
        let update = StreamUpdate(points, to: stream, at: Self.now)
        #expect(update.points.map(\.value) == ["1", "4", "3"])
        #expect(update.stream.currentValue == "4")
    }

    @Test("extremes follow numbers, also those of old points, and ignore text")
    func extremes() {
        let update = StreamUpdate(
            [point("2012-01-01T00:00:00Z", "-4"), point("2013-06-15T11:30:00Z", "JEBEL ALI")],
            to: stream,
            at: Self.now
        )
        #expect(update.stream.minimum == -4)
        #expect(update.stream.maximum == 30)
        #expect(update.stream.currentValue == "JEBEL ALI")
        var fresh = stream
        fresh.minimum = nil
        fresh.maximum = nil
        #expect(StreamUpdate([point("2012-01-01T00:00:00Z", "herz")], to: fresh, at: Self.now).stream.minimum == nil)
    }

    @Test("extremes that are set stay until a value exceeds them")
    func setExtremes() {
        let input = DatastreamInput(currentValue: .set("40"), minimum: .cleared, maximum: .set(35))
        let update = StreamUpdate(input, to: stream, at: Self.now)
        #expect(update.stream.minimum == 40)
        #expect(update.stream.maximum == 40)
        let lower = StreamUpdate(DatastreamInput(maximum: .set(25)), to: stream, at: Self.now)
        #expect(lower.stream.maximum == 25)
        #expect(lower.isChanged)
        #expect(lower.points.isEmpty)
    }

    @Test("a write to a datastream changes only the members that it has")
    func merge() {
        var before = stream
        before.tags = ["a"]
        before.unit = UnitRecord(label: "Celsius", symbol: "C")
        let input = DatastreamInput(unit: UnitInput(symbol: .cleared, type: .set("derivedSI")))
        let after = StreamUpdate(input, to: before, at: Self.now).stream
        #expect(after.unit == UnitRecord(label: "Celsius", type: "derivedSI"))
        #expect(after.tags == ["a"])
        #expect(after.currentValue == "20")
        #expect(StreamUpdate(DatastreamInput(tags: .cleared), to: before, at: Self.now).stream.tags.isEmpty)
        #expect(!StreamUpdate(DatastreamInput(), to: before, at: Self.now).isChanged)
    }
}

@Suite("Numbers in Cosm's values")
struct NumericTextTests {
    @Test(
        "a value is a number if its text is one",
        arguments: [
            ("42", 42), ("0000017", 17), ("-10.5", -10.5), ("1e3", 1000), ("+2", 2), ("", nil), ("herz", nil),
            ("nan", nil), ("inf", nil), ("0x10", nil), ("1e999", nil), ("12 ", nil), ("--1", nil),
        ] as [(String, Double?)]
    )
    func numbers(_ text: String, _ number: Double?) { #expect(NumericText.number(text) == number) }

    @Test(
        "a number in JSON becomes its shortest text",
        arguments: [
            ("42", "42"), ("20.50", "20.5"), ("-0.1", "-0.1"), ("1e3", "1000"), ("1E+2", "100"),
            ("42.0", "42.0"), ("1.5e-7", "1.5e-07"), ("1e20", "1e20"), ("1e400", "1e400"),
            ("123456789012345678901", "123456789012345678901"),
        ]
    )
    func shortest(_ json: String, _ text: String) throws {
        #expect(try JSONFields.body(JSONFields.parse(Array("{\"v\":\(json)}".utf8))).text("v") == text)
    }
}

@Suite("Tags of Cosm")
struct TagListTests {
    @Test(
        "a text of several tags is split into tags",
        arguments: [
            ("a,b", ["a", "b"]), (" a , b c ,", ["a", "b c"]), (#""a,b",c"#, ["a,b", "c"]),
            (#"say \"hi\",x"#, [#"say "hi""#, "x"]), ("", []), (",,", []), (#"back\slash"#, [#"back\slash"#]),
        ]
    )
    func splits(_ text: String, _ tags: [String]) { #expect(TagList.split(text) == tags) }

    @Test("tags are trimmed, unique, and sorted without letter case")
    func cleaned() {
        #expect(
            TagList.cleaned([" Wood ", "garden", "it's", "a,b", "", "garden", "\"q\"\n"]) == [
                "ab", "garden", "its", "q", "Wood",
            ]
        )
        let tags = TagList.cleaned(["b\\", "a c"])
        #expect(TagList.restored(TagList.stored(tags)) == tags)
    }
}

@Suite("Rules of Cosm's feeds and datastreams")
struct FeedRulesTests {
    @Test(
        "an id of a datastream has letters, digits and + - . _",
        arguments: [
            ("0", true), ("temp", true), ("üöä", true), ("a-b.c+1", true), ("_x", true), ("温度", true), ("", false),
            ("red hat", false), ("foo*", false), ("KYB:FOO", false), ("a/b", false),
            (String(repeating: "a", count: 256), false),
        ]
    )
    func ids(_ id: String, _ isValid: Bool) { #expect(FeedRules.isDatastreamID(id) == isValid) }

    @Test("all violations of a feed's rules are reported at once")
    func messages() {
        var input = FeedInput()
        input.location.domain = .set("moon")
        input.location.latitude = .set(91)
        input.datastreams = [
            DatastreamInput(id: "a", currentValue: .set(String(repeating: "x", count: 256))), DatastreamInput(id: "a"),
            DatastreamInput(id: "b", unit: UnitInput(type: .set("metric"))), DatastreamInput(id: " "),
            DatastreamInput(id: "c", tags: .set([String(repeating: "y", count: 256)])),
        ]
        let messages = FeedRules.violations(of: input, isNew: true)
        #expect(messages.count == 8)
        for part in ["Title", "Domain", "Latitude", "Value", "duplicate", "Unit type", "blank", "Tags"] {
            #expect(messages.contains { $0.contains(part) }, "\(part)")
        }
        #expect(FeedRules.violations(of: FeedInput(), isNew: false).isEmpty)
        #expect(FeedRules.violations(of: FeedInput(title: .cleared), isNew: false) == ["Title can't be blank"])
    }
}

@Suite("Conditions of Cosm's triggers")
struct TriggerConditionTests {
    @Test(
        "a trigger fires by the new value, the one before, and the silence before it",
        arguments: [
            (.gt, "15.0", "15.1", "1", false, true), (.gt, "15", "15.0", "1", false, false),
            (.gte, "15", "15.0", "1", false, true), (.lt, "15", "14", nil, false, true),
            (.lte, "15", "15", nil, false, true), (.eq, "15.0", "15", nil, false, true),
            (.eq, "15", "x", nil, false, false),
            (.change, nil, "b", "a", false, true), (.change, nil, "a", "a", false, false),
            (.change, nil, "15.0", "15", false, true), (.change, nil, "a", nil, false, false),
            (.live, nil, "a", "a", true, true), (.live, nil, "a", "a", false, false),
            (.frozen, nil, "a", "a", true, false),
        ] as [(TriggerCondition.Kind, String?, String, String?, Bool, Bool)]
    )
    func fires(
        _ kind: TriggerCondition.Kind,
        _ threshold: String?,
        _ value: String,
        _ previous: String?,
        _ wasFrozen: Bool,
        _ fires: Bool
    ) {
        let condition = TriggerCondition(kind: kind, threshold: threshold)
        #expect(condition.isMet(by: value, after: previous, wasFrozen: wasFrozen) == fires)
    }

    @Test("a trigger fires at most once in five seconds, also after the clock was set back")
    func spacing() {
        var trigger = TriggerRecord(
            id: 1,
            owner: "ann",
            feed: 1,
            datastream: "t",
            url: "http://host/",
            condition: TriggerCondition(kind: .change)
        )
        let now = stamp("2013-06-15T12:00:00Z")
        #expect(trigger.mayFire(at: now))
        trigger.notified = now
        #expect(!trigger.mayFire(at: now.adding(seconds: 4)))
        #expect(trigger.mayFire(at: now.adding(seconds: 5)))
        #expect(trigger.mayFire(at: now.adding(seconds: -1)))
    }
}

@Suite("Searches of Cosm's feeds")
struct FeedMatchTests {
    private func match(_ query: String) throws -> FeedMatch? {
        let time = stamp("2013-06-15T12:00:00Z")
        var feed = FeedRecord(id: 1, owner: "ann", title: "Garden shed", created: time, updated: time)
        feed.description = "Behind the house"
        feed.tags = ["Wood"]
        feed.location = LocationRecord(name: "Kent", latitude: 51.5, longitude: -0.1)
        var stream = DatastreamRecord(number: 1, feed: 1, id: "temp_out")
        stream.tags = ["Thermal"]
        stream.unit = UnitRecord(label: "Celsius", symbol: "C")
        return FeedMatch(feed, [stream], try FeedSearch(FormFields(query: query[...])))
    }

    @Test(
        "a search for feeds matches words, tags, units and places",
        arguments: [
            ("", true), ("q=SHED+house", true), ("q=shed+moon", false), ("q=kent", true), ("q=temp", true),
            ("q=thermal", true), ("tag=wood", true), ("tag=thermal", true), ("tag=woo", false), ("units=c", true),
            ("units=celsius", true), ("units=cel", false), ("lat=51.5&lon=-0.1", true),
            ("lat=48.9&lon=2.3&distance=300", false), ("lat=48.9&lon=2.3&distance=350", true),
            ("lat=48.9&lon=2.3&distance=215&distance_units=miles", true),
            ("lat=48.9&lon=2.3&distance=200&distance_unit=miles", false),
        ]
    )
    func matches(_ query: String, _ isFound: Bool) throws { #expect((try match(query) != nil) == isFound) }

    @Test("the distance of a quarter of the equator is a quarter of its length")
    func distance() {
        #expect(abs(FeedMatch.kilometres(0, 0, 0, 90) - 10_007.557) < 0.01)
        #expect(FeedMatch.kilometres(51.5, -0.1, 51.5, -0.1) == 0)
        #expect(abs(FeedMatch.kilometres(0, 179.5, 0, -179.5) - 111.195) < 0.01)
    }

    @Test("a title counts more than a tag in a search for feeds, and a centre orders by distance")
    func order() throws {
        #expect(try #require(try match("q=garden")).relevance > #require(try match("q=wood")).relevance)
        #expect(try FeedSearch(FormFields(query: "lat=1&lon=2")).order == .distance)
        #expect(try FeedSearch(FormFields(query: "lat=1&lon=2&order=created_at")).order == .created)
        #expect(try FeedSearch(FormFields(query: "q=a")).order == .relevance)
        #expect(try FeedSearch(FormFields(query: "")).order == .retrieved)
    }

    @Test("page numbers out of range are clamped, and invalid ones are refused")
    func pages() throws {
        let high = try FeedSearch(FormFields(query: "page=0&per_page=5000"))
        #expect(high.page == 1)
        #expect(high.itemsPerPage == 1000)
        #expect(try FeedSearch(FormFields(query: "per_page=-3&page=3")).startIndex == 2)
        for query in [
            "page=x", "lat=1", "lon=1", "lat=91&lon=0", "lat=1&lon=1&distance=-1", "status=asleep", "order=x",
            "lat=1&lon=1&distance_units=yards",
        ] {
            #expect(throws: CosmFailure.self, "\(query)") { try FeedSearch(FormFields(query: query[...])) }
        }
    }
}
