import Cosm
import Foundation
import Testing

private func decode<Document: CosmDocument>(
    _ type: Document.Type = Document.self,
    _ xml: String,
    dialect: CosmDialect = .stated
) throws -> Document {
    try CosmFormat.xml.decode(type, from: Data(xml.utf8), dialect: dialect)
}

private func eeml(_ inside: String, version: String = "0.5.1") -> String {
    #"<?xml version="1.0" encoding="UTF-8"?><eeml xmlns="http://www.eeml.org/xsd/0.5.1" version="\#(version)">\#(inside)</eeml>"#
}

@Suite("XML of the Cosm client")
struct XMLTests {
    // The time of copies, which counting instructions does not show. Looked for in slices of `Data`, this takes minutes.
    @Test("XML with many comments is decoded in time that grows with its length", .timeLimit(.minutes(5)))
    func comments() throws {
        let comments = String(repeating: "<!-- x -->", count: 300_000)
        let feed = try decode(Feed.self, eeml("<environment id=\"1\">\(comments)<title>a</title></environment>"))
        #expect(feed.title == "a")
    }

    private static let shed = Feed(
        id: 91,
        title: "Shed & <more>",
        description: "two\nlines",
        website: "http://host/",
        email: "ann@host",
        icon: "http://host/i.png",
        tags: ["garden", "a, b"],
        isPrivate: false,
        feedURL: "http://host/v2/feeds/91.xml",
        autoFeedURL: "http://host/auto",
        status: .live,
        updated: Timestamp("2013-02-01T09:00:02.412Z"),
        created: Timestamp("2013-01-02T10:00:00Z"),
        creator: "http://host/users/ann?a=1&b=\"2\"",
        user: User(login: "ann"),
        location: Location(
            name: "Garden",
            domain: .physical,
            exposure: .outdoor,
            disposition: .fixed,
            latitude: 51.2,
            longitude: -0.4,
            elevation: "80"
        ),
        datastreams: [
            Datastream(
                id: "temp",
                currentValue: "20.5",
                at: Timestamp("2013-02-01T09:00:02Z"),
                maximumValue: "31.0",
                minimumValue: "-4.0",
                tags: ["thermal"],
                unit: Datastream.Unit(label: "Celsius", symbol: "C", type: .derivedSI),
                datapoints: [Datapoint(at: Timestamp("2013-02-01T08:00:00Z"), value: "19.5"), Datapoint(value: "x")],
                datapointsFunction: .average
            ), Datastream(id: "none"), Datastream(id: "symbol", unit: Datastream.Unit(symbol: "K")),
        ],
        productID: "p",
        deviceSerial: "s"
    )

    @Test("a feed with every member is equal after encoding and decoding XML")
    func everything() throws {
        let xml = try Self.shed.encoded(as: .xml)
        #expect(xml.losses.isEmpty, "\(xml.losses)")
        #expect(try CosmFormat.xml.decode(Feed.self, from: xml.data) == Self.shed)
        let page = FeedPage(totalResults: 12, startIndex: 0, itemsPerPage: 2, results: [Self.shed, Feed(id: 1)])
        let list = try page.encoded(as: .xml)
        #expect(
            list.losses.isEmpty && String(decoding: list.data, as: UTF8.self).contains("<opensearch:totalResults>12<")
        )
        #expect(try CosmFormat.xml.decode(FeedPage.self, from: list.data) == page)
    }

    @Test("members that EEML lacks are reported with their paths")
    func losses() throws {
        var feed = Self.shed
        feed.version = "1.0.0"
        feed.extra = ["colour": "red"]
        feed.location?.waypoints = [Location.Waypoint(latitude: 1)]
        feed.datastreams?[1].currentValue = ""
        feed.datastreams?[2].currentValue = " blanks "
        feed.title = "a\u{1}b"
        let losses = try feed.encoded(as: .xml).losses
        #expect(
            Set(losses.map(\.path)) == [
                "version", "colour", "location.waypoints", "datastreams[1].current_value",
                "datastreams[2].current_value", "title",
            ]
        )
    }

    @Test("XML is decoded in any order of elements, and blank and empty elements are ignored")
    func tolerant() throws {
        let feed = try decode(
            Feed.self,
            eeml(
                """
                <environment updated="" id=" 7 "><data id="0"><min_value/>
                  <current_value at="">
                     20.5
                  </current_value><tag></tag></data><private/><location><lat/><lon> 2.5 </lon></location>
                  <title><![CDATA[a <b>]]></title><tag/></environment>
                """
            )
        )
        #expect(
            feed.id == 7 && feed.title == "a <b>" && feed.isPrivate == nil && feed.updated == nil && feed.tags == nil
        )
        #expect(feed.location == Location(longitude: 2.5))
        #expect(feed.datastreams == [Datastream(id: "0", currentValue: "20.5")])
        #expect(try decode(Feed.self, eeml("<environment/>")) == Feed())
        #expect(try decode(FeedPage.self, eeml("")) == FeedPage())
    }

    @Test("unknown elements of XML are kept and reported")
    func unknown() throws {
        let feed = try decode(
            Feed.self,
            eeml(
                #"""
                <environment x="1"><title lang="en">t</title><new><a>1</a><a>2</a></new><data id="0"><b c="d">e</b></data>
                </environment>
                """#
            )
        )
        #expect(feed.title == "t" && feed.extra == ["x": "1", "title@lang": "en", "new": ["a": ["1", "2"]]])
        #expect(feed.datastreams?.first?.extra == ["b": ["c": "d", "#text": "e"]])
        #expect(feed.unknownMembers == ["x", "title@lang", "new", "datastreams[0].b"])
    }

    @Test(
        "version 1 of EEML is recognized by its number or its namespace",
        arguments: [
            #"<eeml version="5">\#(inside)</eeml>"#, #"<eeml xmlns="http://www.eeml.org/xsd/005">\#(inside)</eeml>"#,
        ]
    )
    func version1(xml: String) throws {
        let stream = try #require(try decode(Feed.self, xml).datastreams?.first)
        #expect(stream.currentValue == "22.3" && stream.minimumValue == "0.0" && stream.maximumValue == "34.0")
        #expect(stream.at == Timestamp("2009-04-30T22:24:11Z") && stream.extra.isEmpty)
    }

    private static let inside = """
        <environment updated="2009-04-30T22:24:11Z"><data id="0"><value minValue="0.0" maxValue="34.0">
        22.3</value></data></environment>
        """

    @Test("version 1 of EEML may be stated, and its value is an unknown element in version 2")
    func version1Forced() throws {
        let xml = eeml(Self.inside)
        #expect(try decode(Feed.self, xml, dialect: .version1).datastreams?.first?.currentValue == "22.3")
        let feed = try decode(Feed.self, xml)
        #expect(feed.datastreams?.first?.currentValue == nil && feed.unknownMembers == ["datastreams[0].value"])
    }

    @Test(
        "a document that is not EEML is an error with reason and line",
        arguments: [
            ("", "well-formed"), ("<eeml>", "well-formed"), ("<rss/>", "<eeml>"),
            (eeml("<title>x</title>"), "<environment>"),
            (eeml("<environment/><environment/>"), "found 2"),
            (eeml("<environment><location><lat>north</lat></location></environment>"), "\"north\" is not a number"),
            (eeml(#"<environment updated="soon"/>"#), "\"soon\" is not a timestamp"),
            (eeml("<environment><title><b/></title></environment>"), "elements"),
            ("<!DOCTYPE eeml [<!ENTITY a \"b\">]><eeml>&a;</eeml>", "document type"),
            ("<?xml version=\"1.0\" encoding=\"UTF-7\"?><eeml/>", "encoding"),
            (String(repeating: "<a>", count: 40) + String(repeating: "</a>", count: 40), "deeper"),
        ]
    )
    func refused(xml: String, reason: String) throws {
        let error = try #require(throws: CosmDocumentError.self) { try decode(Feed.self, xml) }
        #expect(error.reason.contains(reason) && error.line != nil, "\(error)")
    }

    @Test("the line of an XML error is that of the invalid element")
    func lines() throws {
        let xml = eeml(
            "<environment>\n\n<location>\n<lat>52,5</lat></location></environment>"
        )
        let error = try #require(throws: CosmDocumentError.self) { try decode(Feed.self, xml) }
        #expect(error.line == 4)
    }

    @Test("XML in UTF-16 is refused, as it could hide a document type")
    func utf16() throws {
        let data = try #require("<eeml/>".data(using: .utf16))
        #expect(throws: CosmDocumentError.self) { try CosmFormat.xml.decode(Feed.self, from: data) }
    }

    @Test("XML in ISO 8859-1 is decoded if it states so, and a wrong encoding is refused")
    func encodings() throws {
        let head = Data(#"<?xml version="1.0" encoding="ISO-8859-1"?>"#.utf8)
        let body =
            Data("<eeml><environment><title>caf".utf8) + Data([0xE9]) + Data("</title></environment></eeml>".utf8)
        #expect(try CosmFormat.xml.decode(Feed.self, from: head + body).title == "café")
        #expect(throws: CosmDocumentError.self) { try CosmFormat.xml.decode(Feed.self, from: body) }
        let name = Data("<eeml><environment><caf".utf8) + Data([0xE9]) + Data("/></environment></eeml>".utf8)
        #expect(throws: CosmDocumentError.self) { try CosmFormat.xml.decode(Feed.self, from: name) }
        #expect(throws: CosmDocumentError.self) {
            try CosmFormat.xml.decode(
                Feed.self,
                from: Data("<?xml\u{C3}x encoding=\"ISO-8859-1\"?>".utf8.prefix(6)) + body
            )
        }
    }

    @Test("processing instructions and comments in XML are ignored")
    func instructions() throws {
        let xml = "<?x?><!-- <!DOCTYPE <?y?> --><eeml>\n<?z a?><environment><?w?><title><![CDATA[<?v?>]]><?u?></title>"
        #expect(try decode(Feed.self, xml + "</environment></eeml>").title == "<?v?>")
        for wrong in ["<?x", "<eeml><!-- ", "<eeml><![CDATA[", "<<?x?>?y?><eeml/>"] {
            #expect(throws: CosmDocumentError.self) { try decode(Feed.self, wrong) }
        }
    }

    @Test("an XML document of a datastream has exactly one, and may have its feed")
    func datastreams() throws {
        let one = eeml(
            #"<environment updated="2013-01-01T00:00:00Z" id="504" creator="x"><data id="0"/></environment>"#
        )
        let read = try Datastream.read(Data(one.utf8), as: .xml, dialect: .stated)
        #expect(read.value == Datastream(id: "0") && read.unknownMembers.isEmpty)
        for wrong in [eeml("<environment/>"), eeml("<environment><data/><data/></environment>")] {
            #expect(throws: CosmDocumentError.self) { try decode(Datastream.self, wrong) }
        }
        let two = [Datastream(id: "a", currentValue: "1"), Datastream(id: "b")]
        let xml = try two.encoded(as: .xml)
        #expect(try decode([Datastream].self, String(decoding: xml.data, as: UTF8.self)) == two && xml.losses.isEmpty)
    }

    @Test("datapoints in XML are in their own element, and a value without a timestamp is one")
    func datapoints() throws {
        let points = [Datapoint(at: Timestamp("2013-01-01T00:00:00Z"), value: "1"), Datapoint(value: "2")]
        let xml = try points.encoded(as: .xml)
        #expect(xml.losses.isEmpty)
        #expect(try CosmFormat.xml.decode([Datapoint].self, from: xml.data) == points)
        #expect(throws: CosmDocumentError.self) { try CosmFormat.xml.decode(Datapoint.self, from: xml.data) }
        let one = try points[0].encoded(as: .xml)
        #expect(try CosmFormat.xml.decode(Datapoint.self, from: one.data) == points[0])
        #expect(try CosmFormat.xml.decode([Datapoint].self, from: [Datapoint]().encoded(as: .xml).data) == [])
    }

    @Test(
        "strange elements and attributes in a list of XML are no values, and are reported",
        arguments: [
            (
                "<access-methods odd=\"1\"><access-method>get</access-method><odd>post</odd></access-methods>",
                ["access-methods/odd", "access-methods@odd"]
            ),
            (
                "<access-methods><access-method odd=\"1\">get</access-method>x</access-methods>",
                ["access-methods/#text", "access-methods/access-method@odd"]
            ),
            (
                "<access-methods type=\"array\"><access-method>get</access-method></access-methods><resources><odd>1</odd></resources>",
                ["resources/odd"]
            ),
        ]
    )
    func strays(list: String, told: [String]) throws {
        let xml = "<key><label>a</label><permissions><permission>\(list)</permission></permissions></key>"
        let key = try CosmFormat.xml.decode(APIKey.self, from: Data(xml.utf8))
        #expect(key.permissions?.count == 1 && key.permissions?[0].accessMethods == [.get])
        #expect(key.permissions?[0].resources == nil)
        #expect(key.unknownMembers.sorted() == told.map { "permissions[0].\($0)" })
    }

    @Test("unknown attributes of the root, of lists and of tags are reported")
    func attributes() throws {
        let feed = #"<eeml foo="1"><environment><tag odd="1">a</tag></environment></eeml>"#
        let document = try Feed.read(Data(feed.utf8), as: .xml, dialect: .stated)
        #expect(document.unknownMembers == ["foo", "tag@odd"] && document.value.tags == ["a"])
        let users = #"<users type="array" odd="1"><user><login>a</login></user></users>"#
        #expect(try [User].read(Data(users.utf8), as: .xml, dialect: .stated).unknownMembers == ["odd"])
    }

    @Test("triggers, keys and users have their own XML")
    func accounts() throws {
        let trigger = Trigger(
            id: 14,
            feedID: 8470,
            datastreamID: "0",
            url: "http://host/a?b=1&c=2",
            condition: .lessOrEqual,
            threshold: "15.0",
            notifiedAt: RecordedTime("a date time string"),
            user: "ann"
        )
        let key = APIKey(
            key: "k",
            id: "1j2s",
            label: "sharing",
            user: "ann",
            expiresAt: RecordedTime("12345"),
            hasPrivateAccess: true,
            permissions: [
                APIKey.Permission(
                    accessMethods: [.get, .put],
                    referer: "http://host",
                    sourceIP: "127.0.0.1",
                    minimumInterval: 60,
                    resources: [APIKey.Resource(feedID: 424, datastreamID: "1", triggerID: 3)]
                )
            ]
        )
        let user = User(
            login: "ann",
            firstName: "Ann",
            apiKey: "k",
            roles: ["a", "b"],
            deliversEmail: false,
            feedsCount: 3
        )
        try check(trigger, [trigger, Trigger(id: 1)])
        try check(key, [key, APIKey(label: "x")])
        try check(user, [user])
        let text = String(decoding: try trigger.encoded(as: .xml).data, as: UTF8.self)
        #expect(text.contains(#"<environment-id type="integer">8470</environment-id>"#))
        #expect(
            try decode(Trigger.self, "<datastream-trigger><colour>red</colour></datastream-trigger>").unknownMembers
                == ["colour"]
        )
        #expect(throws: CosmDocumentError.self) { try decode(Trigger.self, "<key/>") }
    }

    private func check<Value: CosmListElement>(_ one: Value, _ several: [Value]) throws {
        for format in [CosmFormat.json, .xml] {
            let document = try one.encoded(as: format)
            #expect(document.losses.isEmpty, "\(document.losses)")
            #expect(try format.decode(Value.self, from: document.data) == one)
            let list = try several.encoded(as: format)
            #expect(list.losses.isEmpty, "\(list.losses)")
            #expect(try format.decode([Value].self, from: list.data) == several)
        }
    }
}

@Suite("Wrapped documents of Cosm in JSON")
struct WrappingTests {
    @Test(
        "one key is decoded however it is wrapped in JSON",
        arguments: [
            #"{"label":"x"}"#, #"{"key":{"label":"x"}}"#, #"{"keys":[{"label":"x"}]}"#,
        ]
    )
    func one(json: String) throws {
        #expect(try CosmFormat.json.decode(APIKey.self, from: Data(json.utf8)) == APIKey(label: "x"))
    }

    @Test(
        "several keys are decoded however they are wrapped in JSON",
        arguments: [
            #"[{"label":"x"},{"label":"y"}]"#, #"{"keys":[{"label":"x"},{"label":"y"}]}"#,
            #"{"keys":[{"key":{"label":"x"}},null,{"key":{"label":"y"}}]}"#,
        ]
    )
    func several(json: String) throws {
        let keys = try CosmFormat.json.decode([APIKey].self, from: Data(json.utf8))
        #expect(keys == [APIKey(label: "x"), APIKey(label: "y")])
    }

    @Test("members around a wrapped value are reported")
    func around() throws {
        let read = try [User].read(
            Data(#"{"users":[{"user":{"login":"a"},"x":1}],"y":2}"#.utf8),
            as: .json,
            dialect: .stated
        )
        #expect(read.value == [User(login: "a")] && read.unknownMembers == ["y", "[0].x"])
    }

    @Test("pages and bare lists are decoded, and other JSON is an error")
    func pages() throws {
        let page = try CosmFormat.json.decode(FeedPage.self, from: Data(#"[{"id":1}]"#.utf8))
        #expect(page == FeedPage(results: [Feed(id: 1)]))
        #expect(throws: CosmDocumentError.self) {
            try CosmFormat.json.decode(FeedPage.self, from: Data(#"{"id":1}"#.utf8))
        }
        #expect(throws: CosmDocumentError.self) { try CosmFormat.json.decode([Trigger].self, from: Data("{}".utf8)) }
        #expect(throws: CosmDocumentError.self) {
            try CosmFormat.json.decode(APIKey.self, from: Data(#"{"keys":[{},{}]}"#.utf8))
        }
    }

    @Test("an error in JSON has line, column and path")
    func errors() throws {
        let error = try #require(throws: CosmDocumentError.self) {
            try CosmFormat.json.decode([Datapoint].self, from: Data("{\"datapoints\":[\n{\"at\":\"soon\"}]}".utf8))
        }
        #expect(error.line == 2 && error.column == 7 && error.path == "datapoints[0].at")
        #expect(error.description == "line 2, column 7: datapoints[0].at: \"soon\" is not a timestamp")
    }
}
