import BenchmarkHarness

await Benchmark.main(AsyncHTTPClientPeer.self)
