/// An HTTP archive: requests with their responses, in the format that browsers and proxies write.
///
/// Members that this type does not know are ignored when a file is read. Members whose names begin with an underscore
/// are extensions of Helium, which the format allows.
///
/// Source: HAR 1.2 Spec, <http://www.softwareishard.com/blog/har-12-spec/>.
public struct HAR: Hashable, Sendable {
    /// The format's version: `1.2`.
    public var version = "1.2"

    /// The program that wrote the file.
    public var creator: Creator

    /// The exchanges, in the order in which their requests began.
    public var entries: [Entry]

    /// A comment for readers of the archive.
    public var comment: String?

    /// Creates an archive.
    public init(creator: Creator, entries: [Entry] = [], comment: String? = nil) {
        self.creator = creator
        self.entries = entries
        self.comment = comment
    }

    /// The program that wrote an archive.
    public struct Creator: Hashable, Sendable, Codable {
        /// The program's name.
        public var name: String
        /// Its version.
        public var version: String

        /// Creates a description of a program.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }
    }
}

extension HAR: Codable {
    private enum RootKeys: String, CodingKey { case log }
    private enum LogKeys: String, CodingKey { case version, creator, entries, comment }

    /// Decodes the members without checking their values.
    public init(from decoder: any Decoder) throws {
        let root = try decoder.container(keyedBy: RootKeys.self)
        let log = try root.nestedContainer(keyedBy: LogKeys.self, forKey: .log)
        version = try log.decode(String.self, forKey: .version)
        creator = try log.decode(Creator.self, forKey: .creator)
        entries = try log.decode([Entry].self, forKey: .entries)
        comment = try log.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Encodes the archive.
    public func encode(to encoder: any Encoder) throws {
        var root = encoder.container(keyedBy: RootKeys.self)
        var log = root.nestedContainer(keyedBy: LogKeys.self, forKey: .log)
        try log.encode(version, forKey: .version)
        try log.encode(creator, forKey: .creator)
        try log.encode(entries, forKey: .entries)
        try log.encodeIfPresent(comment, forKey: .comment)
    }
}
