import AppNet
import TestSupport
import Testing

@testable import MessageBeast

@Suite("News of channels")
struct ChannelNewsTests {
    /// A call, and what it returns.
    enum Step: Sendable {
        case record(Bool)
        case take(Bool)
        case putBack
        case resume(Int)
    }

    struct Course: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        init(_ testDescription: String, _ steps: Step...) {
            (self.testDescription, self.steps) = (testDescription, steps)
        }
    }

    static let courses = [
        Course(
            "news before the fetch begins are fetched once",
            .record(true),
            .record(false),
            .take(true),
            .take(false)
        ),
        Course(
            "news while a fetch runs are fetched after it, all at once",
            .record(true),
            .take(true),
            .record(false),
            .record(false),
            .take(true),
            .take(false)
        ),
        Course(
            "news after the fetch begin another",
            .record(true),
            .take(true),
            .take(false),
            .record(true),
            .take(true)
        ),
        Course(
            "news whose fetch failed wait until the service is back, and are fetched once then",
            .record(true),
            .take(true),
            .putBack,
            .take(false),
            .resume(1),
            .take(true),
            .take(false),
            .resume(0)
        ),
        Course(
            "a failed fetch is made again at once for news that came while it ran",
            .record(true),
            .take(true),
            .record(false),
            .putBack,
            .take(true),
            .take(false),
            .resume(0)
        ),
        Course(
            "a fetch that still runs when the service comes back goes on with what failed",
            .record(true),
            .take(true),
            .putBack,
            .resume(0),
            .take(true),
            .take(false)
        ),
        Course(
            "later news take the place of those that failed",
            .record(true),
            .take(true),
            .putBack,
            .take(false),
            .record(true),
            .resume(0),
            .take(true),
            .take(false)
        ),
        Course(
            "a fetch that began before the service was in reach again, and fails, is repeated once",
            .record(true),
            .take(true),
            .resume(0),
            .putBack,
            .take(true),
            .putBack,
            .take(false),
            .resume(1),
            .take(true),
            .take(false)
        ),
        Course("nothing is resumed where nothing failed", .resume(0), .record(true), .resume(0), .take(true)),
    ]

    @Test("news of a channel is fetched, by one fetch at a time", arguments: courses)
    func decides(on course: Course) {
        var news = ChannelNews()
        for (index, step) in course.steps.enumerated() {
            switch step {
            case .record(let begins):
                let answer = news.record("1")
                #expect(answer == begins, "step \(index)")
            case .take(let isDue):
                let answer = news.take("1")
                #expect(answer == isDue, "step \(index)")
            case .putBack: news.putBack("1")
            case .resume(let count):
                let channels = news.resume()
                #expect(channels == Array(repeating: "1", count: count), "step \(index)")
            }
        }
    }

    @Test("the fetch of one channel's news does not wait for another channel")
    func channels() {
        var news = ChannelNews()
        let answers = [
            news.record("1"), news.take("1"), news.record("2"), news.take("2"), news.take("2"), news.take("1"),
        ]
        #expect(answers == [true, true, true, true, false, false])
    }
}
