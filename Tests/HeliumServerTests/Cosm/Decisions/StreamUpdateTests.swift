import HeliumServer
import Testing

@testable import CosmServer
@testable import HeliumServerKit

@Suite("What a write does to a datastream (§5, §6)")
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

    @Test("a value without a stamp is recorded at its arrival and becomes the current one")
    func arrival() {
        let update = StreamUpdate(DatastreamInput(currentValue: .set("21")), to: stream, at: Self.now)
        #expect(update.points == [Datapoint(at: Self.now, value: "21")])
        #expect(update.stream.currentValue == "21")
        #expect(update.stream.at == Self.now)
        #expect(update.stream.updated == Self.now)
        #expect(update.isChanged)
    }

    @Test("an older point enters history only")
    func history() {
        let update = StreamUpdate([point("2013-06-15T10:59:59.999999Z", "25")], to: stream, at: Self.now)
        #expect(update.points.count == 1)
        #expect(update.newCurrent == nil)
        #expect(!update.isChanged)
        #expect(update.stream.currentValue == "20")
        #expect(update.stream.updated == Self.now)
    }

    @Test("a point at the current instant replaces the current value")
    func sameInstant() {
        let update = StreamUpdate([point("2013-06-15T11:00:00Z", "25")], to: stream, at: Self.now)
        #expect(update.stream.currentValue == "25")
        #expect(update.newCurrent?.value == "25")
    }

    @Test("of several points the newest becomes the current one, and of one instant the last counts")
    func several() {
        let points = [
            point("2013-06-15T11:30:00Z", "1"), point("2013-06-15T11:40:00Z", "2"), point("2013-06-15T11:20:00Z", "3"),
            point("2013-06-15T11:40:00Z", "4"),
        ]
        let update = StreamUpdate(points, to: stream, at: Self.now)
        #expect(update.points.map(\.value) == ["1", "4", "3"])
        #expect(update.stream.currentValue == "4")
    }

    @Test("extremes follow numbers, old ones too, and text leaves them alone")
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

    @Test("extremes that are set hold until a value goes beyond them")
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

    @Test("only what is named changes")
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

@Suite("Values as numbers and numbers as values (§5)")
struct NumericTextTests {
    @Test(
        "text is a number where a reader would say so",
        arguments: [
            ("42", 42), ("0000017", 17), ("-10.5", -10.5), ("1e3", 1000), ("+2", 2), ("", nil), ("herz", nil),
            ("nan", nil), ("inf", nil), ("0x10", nil), ("1e999", nil), ("12 ", nil), ("--1", nil),
        ] as [(String, Double?)]
    )
    func numbers(_ text: String, _ number: Double?) { #expect(NumericText.number(text) == number) }

    @Test(
        "a JSON number becomes its shortest text",
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

@Suite("Tags (§11)")
struct TagListTests {
    @Test(
        "a joined string is taken apart",
        arguments: [
            ("a,b", ["a", "b"]), (" a , b c ,", ["a", "b c"]), (#""a,b",c"#, ["a,b", "c"]),
            (#"say \"hi\",x"#, [#"say "hi""#, "x"]), ("", []), (",,", []), (#"back\slash"#, [#"back\slash"#]),
        ]
    )
    func splits(_ text: String, _ tags: [String]) { #expect(TagList.split(text) == tags) }

    @Test("are kept clean, once, and in an order without regard to letter case")
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

@Suite("Rules of feeds and datastreams (§3.3, §5)")
struct FeedRulesTests {
    @Test(
        "datastream ids",
        arguments: [
            ("0", true), ("temp", true), ("üöä", true), ("a-b.c+1", true), ("_x", true), ("温度", true), ("", false),
            ("red hat", false), ("foo*", false), ("KYB:FOO", false), ("a/b", false),
            (String(repeating: "a", count: 256), false),
        ]
    )
    func ids(_ id: String, _ isValid: Bool) { #expect(FeedRules.isDatastreamID(id) == isValid) }

    @Test("all that is wrong is told at once")
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

@Suite("When a trigger fires (§8)")
struct TriggerConditionTests {
    @Test(
        "by the new value, the one before, and the silence before it",
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

    @Test("at most once in five seconds, and a clock set back does not silence it")
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

@Suite("What a search finds (§3.1)")
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
        "by words, tags, units and places",
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

    @Test("a quarter of the equator is a quarter of the equator")
    func distance() {
        #expect(abs(FeedMatch.kilometres(0, 0, 0, 90) - 10_007.557) < 0.01)
        #expect(FeedMatch.kilometres(51.5, -0.1, 51.5, -0.1) == 0)
        #expect(abs(FeedMatch.kilometres(0, 179.5, 0, -179.5) - 111.195) < 0.01)
    }

    @Test("a title counts more than a tag, and a centre orders by distance")
    func order() throws {
        #expect(try #require(try match("q=garden")).relevance > #require(try match("q=wood")).relevance)
        #expect(try FeedSearch(FormFields(query: "lat=1&lon=2")).order == .distance)
        #expect(try FeedSearch(FormFields(query: "lat=1&lon=2&order=created_at")).order == .created)
        #expect(try FeedSearch(FormFields(query: "q=a")).order == .relevance)
        #expect(try FeedSearch(FormFields(query: "")).order == .retrieved)
    }

    @Test("pages out of range are clamped, and nonsense is refused")
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
