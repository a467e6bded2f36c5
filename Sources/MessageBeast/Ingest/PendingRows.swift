internal import GRDB
internal import HeliumJSON

/// Derived rows of a page, inserted together after all of its messages.
///
/// An instance belongs to one transaction.
final class PendingRows {
    private var hashtags: [DatabaseValue] = []
    /// The rows of each type, which are adjacent in the table.
    private var annotations: [(type: String, values: [DatabaseValue])] = []
    private var locations: [DatabaseValue] = []
    private var words: [(rowID: Int64, words: String)] = []
    private var placeNames: [(rowID: Int64, words: String)] = []

    func append(_ derivation: MessageDerivation, of localID: Int64) {
        let id = localID.databaseValue
        for hashtag in derivation.hashtags {
            hashtags.append(hashtag.folded.databaseValue)
            hashtags.append(id)
            hashtags.append(hashtag.name.databaseValue)
        }
        for count in derivation.annotations {
            let index = index(of: count.type)
            annotations[index].values.append(count.type.databaseValue)
            annotations[index].values.append(id)
            annotations[index].values.append(count.count.databaseValue)
        }
        if let text = derivation.words { words.append((localID, text)) }
    }

    func append(_ location: DisplayLocation, of localID: Int64) {
        locations.append(localID.databaseValue)
        locations.append(location.name.databaseValue)
        locations.append(location.shortName?.databaseValue ?? .null)
        locations.append(location.factualID?.text.databaseValue ?? .null)
        locations.append(location.latitude.databaseValue)
        locations.append(location.longitude.databaseValue)
        locations.append(location.source.rawValue.databaseValue)
        placeNames.append((localID, IndexedText.words(of: location.name)))
    }

    /// Inserts the collected rows and clears them.
    ///
    /// - Parameter areNewMessages: Whether no index has rows of the messages yet.
    func insert(in database: Database, areNewMessages: Bool) throws {
        try BatchInsertion.hashtags.insert(hashtags, in: database)
        for (_, values) in annotations { try BatchInsertion.annotations.insert(values, in: database) }
        try BatchInsertion.locations.insert(locations, in: database)
        // Last and one by one: a statement that inserts several rows makes SQLite write the words collected so far.
        if areNewMessages {
            try WordIndex.messages.insert(words, in: database)
        } else {
            for (localID, text) in words { try WordIndex.messages.insertIfMissing(text, of: localID, in: database) }
        }
        try WordIndex.locations.insert(placeNames, in: database)
        hashtags.removeAll(keepingCapacity: true)
        annotations.removeAll(keepingCapacity: true)
        locations.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
        placeNames.removeAll(keepingCapacity: true)
    }

    /// Returns the index of a type. There are few types: only registered ones.
    private func index(of type: String) -> Int {
        if let index = annotations.firstIndex(where: { $0.type.hasSameBytes(as: type) }) { return index }
        annotations.append((type, []))
        return annotations.count - 1
    }
}
