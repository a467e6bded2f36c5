import BenchmarkHarness
import Cosm
import DecodingHarness

let rounds = 9
let decoding = DecodingComparison()
var results = try decoding.run(FeedPage.self, group: "cosm-feeds", Documents.feeds, rounds: rounds)
results += try decoding.run(Datastream.self, group: "cosm-history", Documents.history, rounds: rounds)
results += try CSVComparison().run(rounds: rounds)
print(results.json)
