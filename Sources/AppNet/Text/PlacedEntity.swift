/// An entity of any kind with its position in a text.
enum PlacedEntity {
    case mention(Entities.Mention)
    case hashtag(Entities.Hashtag)
    case link(Entities.Link)

    var entity: any TextEntity {
        switch self {
        case .mention(let mention): mention
        case .hashtag(let hashtag): hashtag
        case .link(let link): link
        }
    }
}

extension Entities {
    /// Returns every entity in the order of the text, without those outside the text and those that overlap an earlier
    /// one.
    func placed(in text: String) -> [(entity: PlacedEntity, range: Range<String.Index>)] {
        let all =
            (mentions ?? []).map(PlacedEntity.mention) + (hashtags ?? []).map(PlacedEntity.hashtag)
            + (links ?? []).map(PlacedEntity.link)
        let sorted = all.compactMap { entity in entity.entity.position.map { (entity, $0) } }.sorted { $0.1 < $1.1 }
        var finder = ScalarFinder(text)
        var end = text.startIndex
        return sorted.compactMap { entity, _ in
            guard let range = finder.range(entity.entity.position, entity.entity.length), range.lowerBound >= end else {
                return nil
            }
            end = range.upperBound
            return (entity, range)
        }
    }
}
