/// The room for the elements of a list, within ``CosmMaxima/answerBytes``.
///
/// No element can be left out: lists of accounts and keys are not paged, and one that fails could not be used to find the
/// large ones; pages of feeds go by their number (``FeedPage``). Each element therefore has a share. An element that needs
/// more takes it from the rest, and is abbreviated if that does not suffice.
struct ListRoom {
    /// The number of bytes that are reserved for each element.
    private let share: Int
    /// The number of bytes beyond the shares of all elements that are still free.
    private var free: Int

    /// Creates the room for a number of elements.
    init(count: Int, maximumBytes: Int) {
        share = min(maximumBytes / 2 / max(1, count), 64 * 1024)
        free = maximumBytes - share * count
    }

    /// The size of the largest element that fits.
    var largest: Int { free + share }

    /// Returns whether an element of a size fits, and takes its room if it does.
    mutating func take(_ bytes: Int) -> Bool {
        let excess = max(0, bytes - share)
        guard excess <= free else { return false }
        free -= excess
        return true
    }
}
