import Foundation
import HeliumTesting
import Testing

@testable import Cosm

/// The tests are deprecated too, so that the forms they use warn of nothing.
@Suite("Deprecated forms of Cosm")
struct DeprecatedTests {
    @available(*, deprecated)
    @Test("a deprecated client with the key as a string sends it")
    func keys() throws {
        let key: String? = "s3cret-key"
        let url = try #require(URL(string: "http://cosm.test/v2"))
        #expect(try CosmAPI(apiKey: key, baseURL: url, socketURL: url).apiKey == "s3cret-key")
        #expect(CosmSocket(url: url, apiKey: key).address.key == "s3cret-key")
    }

    @available(*, deprecated)
    @Test("the deprecated headers of a reply are its fields")
    func headers() throws {
        let reply = SocketReply(try SocketFrame(#"{"status":201,"headers":{"LOCATION":"http://h/v2/feeds/7"}}"#))
        #expect(reply.headers == ["LOCATION": "http://h/v2/feeds/7"] && reply.headers == reply.fields)
    }

    @available(*, deprecated)
    @Test("the feeds of a list")
    func feeds() throws {
        let feeds: FeedSequence = try makeAPI(MockTransport()).allFeeds(FeedQuery(page: 2))
        #expect(feeds.pages.query.page == 2)
    }
}
