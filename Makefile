# The commands of this repository. Each prints what it runs; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# STRICT=1 makes warnings in our own targets errors; SwiftPM keeps the flag away from dependencies, so
# switching recompiles only what is ours. On in CI (CI=true) and in `lint`; off for people whose
# compiler is newer than ours and warns about more.
STRICT ?= $(if $(filter-out 0 false,$(CI)),1,0)
STRICT_FLAGS := -Xswiftc -warnings-as-errors
SWIFT_FLAGS := $(if $(filter 1,$(STRICT)),$(STRICT_FLAGS))

# SwiftPM passes the traits of a package to the compiler in the order of a set. With another order in the next process it
# compiles everything again, so that order is fixed here.
export SWIFT_DETERMINISTIC_HASHING := 1

# Where `make install` puts the tool. DESTDIR, if set, is put in front of it, for packagers.
PREFIX ?= $(HOME)/.local
DESTDIR ?=
# The tool for users: on Linux with Swift's runtime inside, so that it runs on machines without Swift.
# TOOL_SCRATCH is where it is built: CI builds it beside its tests, and SwiftPM works once at a time in one folder.
TOOL_SCRATCH ?= .build
TOOL_FLAGS := -c release --product helium --scratch-path $(TOOL_SCRATCH) $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)

.PHONY: help setup static build test test-oldest test-browser demo examples lint format api messages docs tool install uninstall release bench bench-quick \
    test-tsan test-asan fuzz soak simulate simulate-bites mutate crash interop \
    documents clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install what building needs, or say how to
	Scripts/setup.sh

build: setup ## build everything, tests included
	swift build --build-tests $(SWIFT_FLAGS)

# One test after the other: the suites start servers, measure deadlines and use both cores; all at once on a small
# machine, they would wait for each other's time limits. It takes about fifteen minutes.
# Tests/Consumer is a package that sees of us what any user sees; it shares no build folder with us.
# All tests are Swift Testing's (lint sees to it); without the XCTest pass nothing warns that it found none.
# The tests themselves run with random hashing, as programs of users do.
# Failures are told once more at the end, where those who see only the end of a log find them.
test: build ## run all tests, and the consumer package
	env -u SWIFT_DETERMINISTIC_HASHING swift test --skip-build --no-parallel --disable-xctest $(SWIFT_FLAGS) 2>&1 \
	    | tee .build/test.log || { Scripts/failed-tests.sh .build/test.log; exit 1; }
	@if [ -f Tests/Consumer/Package.swift ]; then \
	    echo "swift run --package-path Tests/Consumer --scratch-path .build-consumer"; \
	    swift run --package-path Tests/Consumer --scratch-path .build-consumer; \
	    Scripts/consumer-packages.sh .build-consumer; \
	fi

# The lowest versions that Package.swift allows, as far as they can be fetched. Says which could not.
test-oldest: setup ## build with the oldest dependencies that are allowed, and run the tests that need no server
	Scripts/oldest.sh

# Not a part of `make test`, which drives the page without a browser. ONLY=TEXT: only the checks whose names contain it.
test-browser: ## look at ConAir's page in Chromium: live, stale, on a phone, dark, without scripts; pictures in .build/browser
	Scripts/setup.sh browser
	Scripts/browser.sh $(if $(ONLY),"$(ONLY)")

demo: setup ## run `helium demo`: the whole stack in one command
	swift run $(SWIFT_FLAGS) helium demo

examples: setup ## run the programs in Examples, each on a server of its own
	swift run $(SWIFT_FLAGS) ServiceClient
	swift run $(SWIFT_FLAGS) SignedDevice
	swift run $(SWIFT_FLAGS) CosmLogger
	swift run $(SWIFT_FLAGS) AppNetBot

tool: setup ## build the tool in release, with Swift's runtime inside
	swift build $(TOOL_FLAGS) $(SWIFT_FLAGS)

install: tool ## install tool, completions and manual page: make install [PREFIX=~/.local]
	Scripts/install.sh install "$$(swift build $(TOOL_FLAGS) $(SWIFT_FLAGS) --show-bin-path)/helium" "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what `make install` installed, from the same PREFIX
	Scripts/install.sh uninstall "$(DESTDIR)$(PREFIX)"

release: tool ## pack the same into .build/dist/helium-VERSION-SYSTEM-MACHINE.tar.gz, with its SHA-256
	Scripts/release.sh "$$(swift build $(TOOL_FLAGS) $(SWIFT_FLAGS) --show-bin-path)/helium"

lint: setup ## check format, text, hygiene, warnings and that the public interface is as Docs/API says
	Scripts/lint.sh
	swift build --build-tests $(STRICT_FLAGS)
	Scripts/api.py --check

format: ## format the sources in place
	swift format --in-place --recursive --parallel $(shell Scripts/swift-sources.sh)

# The smallest program on HeliumKit as one file: only the C libraries of the system are linked dynamically.
static: setup ## build Examples/SmallClient with Swift's runtime inside, run it and tell its size
	swift build -c release --product SmallClient --scratch-path .build-static $$(Scripts/static-flags.sh) $(SWIFT_FLAGS)
	Scripts/static.sh .build-static/release/SmallClient

api: setup ## write the public interface of each library to Docs/API
	swift build $(SWIFT_FLAGS)
	Scripts/api.py

messages: ## write the texts of errors, logs, responses and help to Docs/Messages.txt
	Scripts/messages.py

docs: setup ## build the DocC archives into .build/docs; DocC's warnings are errors
	swift build $(SWIFT_FLAGS)
	Scripts/docs.sh

bench: ## measure against the peers (about twenty minutes plus a first build)
	Scripts/setup.sh bench
	python3 -B -m unittest discover --quiet --start-directory Tests/Benchmarks/Scripts
	Tests/Benchmarks/Scripts/bench.py

bench-quick: ## the same with few requests and rounds: shows that it works, decides nothing
	Scripts/setup.sh bench
	Tests/Benchmarks/Scripts/bench.py --quick

# The suites of Jetstream with real sockets, or with tasks and sockets in memory.
TSAN_JETSTREAM := JetstreamLiveTests|JetstreamHostingTests.LiveServerTests|JetstreamCoreTests.(ClientTests|WebSocketTransportTests)

# MessageBeast's engines with tasks, observers and other engines on one file, whose transport is in memory, and the access to files.
TSAN_BEAST := HeliumDatabaseTests|MessageBeastTests.(OpeningTests|LifecycleTests|RestartTests|ObservationTests|ObservedValueTests|FileRecoveryTests)

# One test after the other, as in `make test`: the sanitizer makes everything ten times slower, and time limits are real.
test-tsan: setup ## run the suites named …ConcurrencyTests, and those of live sockets, under Thread Sanitizer
	@mkdir -p .build-tsan
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/ThreadSanitizer.supp" \
	    swift test --sanitize=thread -Xswiftc -DHELIUM_TSAN --scratch-path .build-tsan --disable-xctest --no-parallel \
	    --filter 'ConcurrencyTests|HeliumWebSocketTests|CosmTests.(CosmSocket|LiveUpdates|LiveModel)|$(TSAN_JETSTREAM)|$(TSAN_BEAST)' 2>&1 | tee .build-tsan/test.log
	@grep -qE 'Test run with [1-9]' .build-tsan/test.log || { echo "test-tsan: error: no test ran" >&2; exit 1; }

# The suites of HeliumJSON, which reads memory that is the caller's, and its share of the fuzzing. Left out is what needs
# a certain stack: the sanitizer takes more of it. Leaks are looked for by `make soak`; what the runtime keeps to its end is none.
test-asan: setup ## run the suites of HeliumJSON and its fuzz target under Address Sanitizer
	@mkdir -p .build-asan
	ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no swift test --sanitize=address --scratch-path .build-asan \
	    --disable-xctest --no-parallel --filter 'HeliumJSONTests|FuzzTargetTests' \
	    --skip 'theDefaultDepthNeedsLittleStack|nests without end' 2>&1 | tee .build-asan/test.log
	@grep -qE 'Test run with [1-9]' .build-asan/test.log || { echo "test-asan: error: no test ran" >&2; exit 1; }

# FUZZ_FLAGS: --count N, --seed N, --only TARGET, --from N, --jobs N. COST_FLAGS: --bytes N, --only CASE.
# ENGINE=libfuzzer looks for new code by itself.
fuzz: setup ## feed a million bad inputs to each parser, under Address Sanitizer; measure what long inputs cost
	Scripts/fuzz.sh $(FUZZ_FLAGS)
	Scripts/cost.sh $(COST_FLAGS)

# SOAK_SECONDS, SOAK_CONCURRENCY, SOAK_SEED: see Tests/Soak.
soak: setup ## ten minutes of random calls and ends: no leak, no hang, no lost completion
	swift build -c release --product SoakRunner
	.build/release/SoakRunner

# SYSTEM=beast or SYSTEM=jetstream picks one. SEED=N runs one seed and prints its trace; SEEDS=N and FIRST=N run others. A seed
# of a debug build, such as of `make test`, is replayed with CONFIGURATION=debug: optimized code has other hops between actors.
SYSTEM ?= beast jetstream
CONFIGURATION ?= release
SEEDS ?= 20000
FIRST ?= 1
simulate: setup ## simulate MessageBeast and Jetstream: clients, a bad network, kills; 20,000 seeds each, or SEED=N
	swift build -c $(CONFIGURATION) --product SimulationRunner $(SWIFT_FLAGS)
ifdef SEED
	for system in $(SYSTEM); do \
	    .build/$(CONFIGURATION)/SimulationRunner $$system --seed $(SEED) --runs 2 --trace || exit 1; \
	done
else
	for system in $(SYSTEM); do \
	    Scripts/simulate.sh .build/$(CONFIGURATION)/SimulationRunner $$system $(FIRST) $(SEEDS) || exit 1; \
	done
endif

simulate-bites: setup ## plant faults in a copy of MessageBeast and Jetstream, and see that the simulation finds each
	Scripts/simulate-bites.sh "$(SYSTEM)"

# MUTATE_FLAGS: --only TEXT, --list, --no-build. The mutations are in Tests/Mutations.
mutate: setup ## change one decision of the sources after another, and see that the tests of its module notice each
	python3 -B -m unittest discover --quiet --start-directory Tests/Mutations
	Scripts/mutate.py $(MUTATE_FLAGS)

# KILLS=N, SEED=N: see Tests/Crash.
KILLS ?= 10000
crash: setup ## kill processes with MessageBeast 10,000 times, and at each crash point; nothing may be lost or doubled
	swift build -c release --product CrashRunner $(SWIFT_FLAGS)
	.build/release/CrashRunner --kills $(KILLS) --seed $(or $(SEED),1)

interop: setup ## hold the client against httpbin, and the server against adnpy and pnutpy, all from PyPI
	Scripts/interop.sh

documents: setup ## decode the real services' documents: make documents DATA=../shared/data
	swift build $(SWIFT_FLAGS) --product helium
	Scripts/documents.sh $(or $(DATA),../shared/data)

clean: ## remove what was built
	rm -rf .build .build-* Tests/Benchmarks/.build* Tests/Consumer/.build*
