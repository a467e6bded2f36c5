import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@testable import AppNet

@Suite("General parameters of App.net's calls")
struct ParameterTests {
    private static let everything: GeneralParameters = {
        var all = GeneralParameters(
            includesAnnotations: true,
            includesHTML: false,
            includesDeleted: true,
            includesMachineOnly: true,
            channelTypes: ["a", "b"]
        )
        all.includesUserAnnotations = true
        all.includesPostAnnotations = true
        all.includesChannelAnnotations = true
        all.includesMessageAnnotations = true
        all.includesFileAnnotations = true
        all.includesPollAnnotations = true
        all.includesMuted = true
        all.includesDirectedPosts = true
        all.includesStarredBy = true
        all.includesReposters = true
        all.includesUser = true
        all.includesMarker = true
        all.includesRead = false
        all.includesRecentMessage = true
        all.includesInactive = true
        all.includesLimitedUsers = true
        all.excludedChannelTypes = ["c"]
        all.fileTypes = ["d"]
        all.includesIncomplete = false
        all.includesPrivate = false
        return all
    }()

    private func sent(
        _ dialect: AppNetDialect,
        client general: GeneralParameters = GeneralParameters(),
        call: GeneralParameters = GeneralParameters()
    ) async throws -> [String: String] {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport, dialect: dialect) { $0.parameters = general }
        _ = try await client.users.get(1, parameters: call)
        let items = transport.requests.first?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value) }) { $1 }
    }

    @Test("every general parameter has its documented name on App.net")
    func appNet() async throws {
        let expected = [
            "include_annotations": "1", "include_user_annotations": "1", "include_post_annotations": "1",
            "include_channel_annotations": "1", "include_message_annotations": "1", "include_file_annotations": "1",
            "include_html": "0", "include_muted": "1", "include_deleted": "1", "include_machine": "1",
            "include_directed_posts": "1", "include_starred_by": "1", "include_reposters": "1", "include_marker": "1",
            "include_read": "0", "include_recent_message": "1", "include_inactive": "1", "channel_types": "a,b",
            "file_types": "d", "include_incomplete": "0", "include_private": "0",
        ]
        #expect(try await sent(.appNet, client: Self.everything) == expected)
    }

    @Test("every general parameter has its documented name on pnut.io, which lacks include_machine and has others")
    func pnut() async throws {
        let expected = [
            "include_raw": "1", "include_user_raw": "1", "include_post_raw": "1", "include_channel_raw": "1",
            "include_message_raw": "1", "include_file_raw": "1", "include_poll_raw": "1", "include_html": "0",
            "include_muted": "1", "include_deleted": "1", "include_directed_posts": "1", "include_bookmarked_by": "1",
            "include_reposted_by": "1", "include_user": "1", "include_marker": "1", "include_read": "0",
            "include_recent_message": "1", "include_inactive": "1", "include_limited_users": "1",
            "channel_types": "a,b", "exclude_channel_types": "c", "file_types": "d", "include_incomplete": "0",
            "include_private": "0",
        ]
        #expect(try await sent(.pnut, client: Self.everything) == expected)
    }

    @Test("parameters of a call replace the client's one by one, and unset ones are not sent")
    func merging() async throws {
        #expect(try await sent(.appNet).isEmpty)
        var call = GeneralParameters(includesAnnotations: false, channelTypes: ["x"])
        call.additional = ["extra": "1"]
        let general = GeneralParameters(includesAnnotations: true, includesHTML: false)
        let expected = ["include_annotations": "0", "include_html": "0", "channel_types": "x", "extra": "1"]
        #expect(try await sent(.appNet, client: general, call: call) == expected)
        #expect(general.merging(GeneralParameters()) == general)
        #expect(GeneralParameters().merging(general) == general)
        #expect(Self.everything.merging(Self.everything) == Self.everything)
    }

    @Test("a copy of a client with more parameters leaves the original as it is")
    func copies() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport)
        _ = try await client.with(GeneralParameters(includesAnnotations: true)).users.get(1)
        _ = try await client.users.get(1)
        #expect(
            transport.requests.map(\.url.target) == ["/stream/0/users/1?include_annotations=1", "/stream/0/users/1"]
        )
    }

    @Test("migrations and layout are sent as header fields, and the active ones are read")
    func migrations() async throws {
        let fields: HTTPFields = [.named("X-ADN-Migrations-Enabled"): "new_thing=1&other%20one"]
        let transport = MockTransport(answers: [answer("{}", fields: fields), answer("{}")])
        let client = try makeClient(transport) {
            $0.migrations = ["b c": false, "a": true]
            $0.isPretty = true
        }
        #expect(client.enabledMigrations == nil)
        _ = try await client.users.get(1)
        _ = try await client.users.get(1)
        let request = try #require(transport.requests.first)
        #expect(request.fields[.named("X-ADN-Migration-Overrides")] == "a=1&b%20c=0")
        #expect(request.fields[.named("X-ADN-Pretty-JSON")] == "1")
        #expect(client.enabledMigrations == ["new_thing", "other one"])

        let plain = MockTransport(answers: [answer("{}", fields: [.named("X-ADN-Migrations-Enabled"): ""])])
        let other = try makeClient(plain, dialect: .pnut) {
            $0.migrations = ["a": true]
            $0.isPretty = true
        }
        _ = try await other.users.get(1)
        #expect(plain.requests.first?.fields[.named("X-ADN-Migration-Overrides")] == nil, "pnut.io has none")
        #expect(plain.requests.first?.fields[.named("X-Pretty-Json")] == "1")
        #expect(other.enabledMigrations == [])
    }
}
