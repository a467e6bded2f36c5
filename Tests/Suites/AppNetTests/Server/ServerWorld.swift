import AppNet
import Foundation
import HeliumServer
import HeliumServerTesting
import HeliumWebSocket
import Testing

/// An embedded server with something of everything that a call can name.
struct ServerWorld: Sendable {
    let dialect: AppNetDialect
    let alice: AppNetClient
    let bob: AppNetClient
    let app: AppNetClient
    /// A client without a token.
    let stranger: AppNetClient
    /// The users that the clients act for.
    let (aliceID, bobID): (AppNetUser.ID, AppNetUser.ID)

    private let ready: ReadyInformation.AppNet
    /// The same in App.net's dialect, for what is made before a call.
    private let (hostAlice, hostBob, hostApp): (AppNetClient, AppNetClient, AppNetClient)

    init(_ ready: ReadyInformation.AppNet, _ dialect: AppNetDialect) async throws {
        self.ready = ready
        self.dialect = dialect
        let tokens = ready.users.map(\.token)
        let (first, second) = (try #require(tokens.first), try #require(tokens.dropFirst().first))
        alice = try ready.client(token: first, dialect)
        bob = try ready.client(token: second, dialect)
        app = try ready.client(token: ready.appToken, dialect)
        stranger = try ready.client(token: nil, dialect)
        hostAlice = try ready.client(token: first, .appNet)
        hostBob = try ready.client(token: second, .appNet)
        hostApp = try ready.client(token: ready.appToken, .appNet)
        aliceID = try #require(try await hostAlice.users.get(.me).id)
        bobID = try #require(try await hostBob.users.get(.me).id)
    }

    /// Creates a channel of Alice's that any user can read and write, and subscribes Bob to it.
    func channel(type: AppNetChannel.Kind = "com.example.room") async throws -> AppNetChannel.ID {
        var draft = AppNetChannel(type: type, readers: ACL(isPublic: true))
        if type != .broadcast { draft.writers = ACL(includesAnyUser: true) }
        let id = try #require(try await hostAlice.channels.create(draft).id)
        _ = try await hostBob.channels.subscribe(to: id)
        return id
    }

    /// A message of Alice's.
    func message(in channel: AppNetChannel.ID) async throws -> Message.ID {
        try #require(try await hostAlice.messages.create(Message(text: "Tea #break?"), in: channel).id)
    }

    /// A private channel of Alice and Bob.
    func privateChannel() async throws -> AppNetChannel.ID {
        try #require(try await hostAlice.messages.send(Message(text: "Psst"), to: [bobID]).channelID)
    }

    /// A post of Bob's.
    func post() async throws -> Post.ID {
        try #require(try await hostBob.posts.create(Post(text: "Hello #tea and @alice")).id)
    }

    /// A public poll that is open for an hour.
    static let pollDraft = Poll(
        prompt: "Tea?",
        type: "com.example.poll",
        options: [Poll.Option(text: "Yes"), Poll.Option(text: "No")],
        isPublic: true,
        duration: 60
    )

    /// A poll of Alice's; of pnut.io only.
    func poll() async throws -> Poll.ID { try #require(try await alice.polls.create(Self.pollDraft).id) }

    /// A file of Alice's, with a derived one called `small`.
    func file() async throws -> File.ID {
        let id = try await incompleteFile()
        try await hostAlice.files.setContent(of: id, derived: "small", to: .data(Data("tiny".utf8), name: "s.txt"))
        try await hostAlice.files.setContent(of: id, to: .data(Data("content".utf8), name: "c.txt"))
        return id
    }

    /// A file of Alice's whose content is to come.
    func incompleteFile() async throws -> File.ID {
        let draft = File(type: "com.example.note", kind: "other", name: "c.txt", mimeType: "text/plain")
        return try #require(try await hostAlice.files.create(draft).id)
    }

    /// The place that is nearest to the middle of the server's town.
    func place() async throws -> Place.ID {
        let search = PlaceSearch(latitude: 46.5, longitude: 7.25, radius: 50_000, count: 1)
        return try #require(try await hostAlice.places.search(search).first?.factualID)
    }

    func filter() async throws -> StreamFilter.ID {
        let clause = StreamFilter.Clause(
            objectType: "post",
            field: "/data/text",
            comparison: "matches",
            value: "tea"
        )
        let draft = StreamFilter(name: "tea", matchPolicy: "include_any", clauses: [clause])
        return try #require(try await hostAlice.filters.create(draft).id)
    }

    /// An app stream, by its id or by what stands for it in the dialect.
    func stream() async throws -> AppStream.ID {
        try await hostApp.appStreams.deleteAll()
        let draft = AppStream(type: "long_poll", objectTypes: ["post"], key: "k")
        let id = try #require(try await hostApp.appStreams.create(draft).id)
        return dialect == .pnut ? "k" : id
    }

    /// Runs a closure with the id of a user stream of Alice's that is connected.
    func withUserStream(_ body: (String) async throws -> Void) async throws {
        var address = try #require(URLComponents(url: ready.userStream, resolvingAgainstBaseURL: false))
        address.queryItems = [URLQueryItem(name: "access_token", value: ready.users[0].token)]
        let socket = try await WebSocket.connect(to: try #require(address.url))
        var messages = socket.messages.makeAsyncIterator()
        guard case .text(let text)? = try await messages.next(),
            let id = try JSONValue(parsing: Data(text.utf8))["meta"]?["connection_id"]?.stringValue
        else { throw NothingThere() }
        try await body(id)
        await socket.close()
    }

    /// A picture as far as its header goes, which is what is looked at.
    func picture(width: UInt32, height: UInt32) -> FileContent {
        var png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
        for number in [width, height] { withUnsafeBytes(of: number.bigEndian) { png.append(contentsOf: $0) } }
        png.append(contentsOf: [8, 6, 0, 0, 0, 0, 0, 0, 0])
        return .data(png, name: "picture.png", mediaType: "image/png")
    }

    private struct NothingThere: Error {}
}

extension ReadyInformation.AppNet {
    /// A client of the server.
    func client(token: String?, _ dialect: AppNetDialect = .appNet) throws -> AppNetClient {
        try AppNetClient(
            configuration: AppNetConfiguration(
                token: token.map { Secret($0) },
                dialect: dialect,
                baseURL: dialect == .appNet ? root : pnut,
                userStreamURL: userStream
            )
        )
    }
}
