#ifndef HELIUM_PEER_RUN_H
#define HELIUM_PEER_RUN_H

#include <stdint.h>

/// The direction in which large bodies are sent instead of requests.
enum transfer { transfer_none, transfer_download, transfer_upload };

/// The description of one run, with the options of RunOptions.swift.
struct run_options {
    const char *url;
    const char *ca;
    const char *idle_url;
    const char *file;
    const char *warm_up_url;
    const char *warm_up_file;
    enum transfer transfer;
    long concurrency;
    long requests;
    long warm_up;
    long long body_bytes;
    long idle_streams;
    int http2;
};

/// The resources that the process has used so far.
struct usage {
    uint64_t nanoseconds;
    double user_microseconds;
    double system_microseconds;
    long switches;
};

/// The header that every request for a small document carries, as one line.
extern const char run_authorization[];
/// The response header in which the server names the protocol that it spoke.
extern const char run_looked_up_header[];

/// Reads `--name value` pairs, or fails.
struct run_options parse_run_options(int count, char **arguments);

/// Returns the protocol that the server has to name.
const char *run_protocol(const struct run_options *options);

/// Returns the time of the monotonic clock.
uint64_t monotonic_nanoseconds(void);

/// Returns the latency of a request that began at `started`, as the log of latencies keeps it.
uint32_t latency_since(uint64_t started);

/// Reads the counters now.
struct usage current_usage(void);

/// Returns the memory that is resident now, in kibibytes; elsewhere than on Linux the most that ever was.
long resident_kibibytes(void);

/// Prints the members of Measurement.swift. Sorts the latencies.
void print_requests(long requests, uint32_t *latencies, struct usage before, struct usage after);

/// Prints the members of BulkMeasurement for `options->requests` bodies.
void print_transfers(const struct run_options *options, long resident_before, struct usage before, struct usage after);

#endif
