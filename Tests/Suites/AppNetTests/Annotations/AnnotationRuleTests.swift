import AppNet
import HeliumJSON
import Testing

@Suite("Rules for annotations of App.net")
struct AnnotationRuleTests {
    typealias Holder = AnnotationRules.Holder

    static let refused: [(type: String, value: String?, holder: Holder, member: String)] = [
        ("", "{}", .post, "annotations[0].type"), ("a", nil, .post, "annotations[0].value"),
        ("a", "[]", .user, "annotations[0].value"), ("a", "1", .file, "annotations[0].value"),
        ("net.app.core.nothing", "{}", .post, "annotations[0].type"),
        ("net.app.core.geolocation", #"{"latitude":91,"longitude":0}"#, .post, "annotations[0].value.latitude"),
        ("net.app.core.geolocation", #"{"latitude":0}"#, .post, "annotations[0].value.longitude"),
        ("net.app.core.geolocation", #"{"latitude":"0","longitude":0}"#, .post, "annotations[0].value.latitude"),
        (
            "net.app.core.geolocation", #"{"latitude":0,"longitude":0,"horizontal_accuracy":-1}"#, .post,
            "annotations[0].value.horizontal_accuracy"
        ),
        ("net.app.core.attachments", "{}", .post, "annotations[0].value.+net.app.core.file_list"),
        (
            "net.app.core.attachments",
            #"{"+net.app.core.file_list":[{"file_id":"1","file_token":"t","format":"url"}]}"#, .post,
            "annotations[0].value.+net.app.core.file_list[0].format"
        ),
        (
            "a", #"{"b":[{"+net.app.core.file":{"file_id":"1","format":"url"}}]}"#, .post,
            "annotations[0].value.b[0].+net.app.core.file.file_token"
        ),
        (
            "a", #"{"+net.app.core.file":{"file_id":"1","file_token":"t","format":"oembed"}}"#, .post,
            "annotations[0].value.+net.app.core.file.format"
        ),
        ("a", #"{"+net.app.core.thing":{}}"#, .post, "annotations[0].value.+net.app.core.thing"),
        (
            "a", #"{"+net.app.core.user":{"user_id":"1","format":"x"}}"#, .post,
            "annotations[0].value.+net.app.core.user.format"
        ),
        ("a", #"{"+net.app.core.place":1}"#, .post, "annotations[0].value.+net.app.core.place.factual_id"),
        ("a", #"{"+net.app.core.file_list":{}}"#, .post, "annotations[0].value.+net.app.core.file_list"),
        (
            "net.app.core.oembed", #"{"type":"photo","version":"1.0","width":1,"height":1}"#, .post,
            "annotations[0].value.url"
        ),
        (
            "net.app.core.oembed", #"{"type":"rich","version":"1.0","width":1,"height":1}"#, .post,
            "annotations[0].value.html"
        ),
        (
            "net.app.core.oembed",
            #"{"type":"photo","version":"1.0","width":1,"height":1,"url":"a","thumbnail_url":"b"}"#, .post,
            "annotations[0].value.thumbnail_width"
        ),
        (
            "net.app.core.oembed",
            #"{"type":"html5video","version":"1.0","width":1,"height":1,"sources":[1,2,3,4,5,6]}"#, .post,
            "annotations[0].value.sources"
        ),
        ("net.app.core.broadcast.freq", "{}", .channel(.broadcast), "annotations[0]"),
        ("net.app.core.fallback_url", #"{"url":"a"}"#, .channel(.broadcast), "annotations[0]"),
        ("net.app.core.channel.metadata", #"{"title":"a","description":"b"}"#, .channel(.broadcast), "annotations[0]"),
        ("net.app.core.broadcast.metadata", #"{"title":"a","description":"b"}"#, .channel(.journal), "annotations[0]"),
        (
            "net.app.core.channel.metadata", #"{"title":"a","description":"b","tags":["c","d","e","f"]}"#,
            .channel(nil), "annotations[0].value.tags"
        ),
        (
            "net.app.core.channel.metadata", #"{"title":"a","description":"b","tags":["0123456789abcdef"]}"#,
            .channel(nil), "annotations[0].value.tags[0]"
        ),
    ]

    @Test("an annotation that the service refuses is an error with its position", arguments: refused.indices)
    func refusal(_ index: Int) throws {
        let (type, value, holder, member) = Self.refused[index]
        let annotation = Annotation(type: type, value: try value.map { try JSONValue(parsing: $0) })
        let error = #expect(throws: RuleViolation.self) { try AnnotationRules.validate([annotation], on: holder) }
        #expect(error?.member == member)
    }

    @Test("an annotation that the service accepts is valid")
    func taken() throws {
        let geo = Annotation(type: Geolocation.annotationType, value: ["latitude": -90, "longitude": 180])
        try AnnotationRules.validate([geo, geo], on: .message(channelType: .journal))
        try AnnotationRules.validate([.removal(of: "a"), .removal(of: "net.app.core.language")], on: .user)
        try AnnotationRules.validate(
            [try Annotation(FallbackURL(url: "https://example.com"))],
            on: .channel(.patterRoom)
        )
        try AnnotationRules.validate(
            [try Annotation(BroadcastSubject(subject: "a"))],
            on: .message(channelType: .broadcast)
        )
    }

    @Test("a type may be repeated only among annotations that never change")
    func repeated() throws {
        let twice = [Annotation(type: "a", value: [:]), Annotation(type: "a", value: [:])]
        try AnnotationRules.validate(twice, on: .post)
        for holder in [Holder.user, .file, .channel(nil)] {
            let error = #expect(throws: RuleViolation.self) { try AnnotationRules.validate(twice, on: holder) }
            #expect(error?.member == "annotations[1]")
        }
    }

    @Test(
        "the size of annotations is that of compact JSON in UTF-8",
        arguments: [("x", 1), ("é", 2), ("😀", 4), ("/", 1), ("\"", 2)]
    )
    func size(_ character: String, _ bytes: Int) throws {
        // [{"type":"a","value":{"b":"…"}}] has 29 bytes besides.
        let frame = AnnotationRules.byteCount(of: [Annotation(type: "a", value: ["b": ""])])
        #expect(frame == #"[{"type":"a","value":{"b":""}}]"#.utf8.count)
        let count = (8192 - frame) / bytes
        let most = Annotation(type: "a", value: ["b": .string(String(repeating: character, count: count))])
        try AnnotationRules.validate([most], on: .post)
        let more = Annotation(type: "a", value: ["b": .string(String(repeating: character, count: count + 1))])
        let error = #expect(throws: RuleViolation.self) { try AnnotationRules.validate([more], on: .post) }
        #expect(error?.problem == .tooLong(frame + (count + 1) * bytes, maximum: 8192, unit: "bytes"))
        try AnnotationRules.validate([more], on: .post, maximumBytes: 9000)
    }
}
