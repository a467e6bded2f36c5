import BenchmarkHarness

await Benchmark.main(BareTransport.self)
