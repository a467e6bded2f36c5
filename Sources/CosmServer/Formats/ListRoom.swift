/// The room for the elements of a list that is not paged, within ``CosmMaxima/answerBytes``.
///
/// No element can be left out, and a list of accounts or keys that fails could not be used to find the large ones. Each
/// element therefore has a share, as in ``FeedPage``. An element that needs more takes it from the rest, and is
/// abbreviated if that does not suffice.
struct ListRoom {
    private let share: Int
    private var free: Int

    /// Creates the room for a number of elements.
    init(count: Int, maximumBytes: Int) {
        share = min(maximumBytes / 2 / max(1, count), 64 * 1024)
        free = maximumBytes - share * count
    }

    /// Returns whether an element of a size fits, and takes its room if it does.
    mutating func take(_ bytes: Int) -> Bool {
        let excess = max(0, bytes - share)
        guard excess <= free else { return false }
        free -= excess
        return true
    }
}
