/* The command line and the output of the peers in C: the same as those of the clients in Swift. */

#define _GNU_SOURCE
#include "PeerRun.h"
#include "PeerFailure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

const char run_authorization[] =
    "authorization: Bearer 0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr";
const char run_looked_up_header[] = "x-protocol";

static enum transfer parse_transfer(const char *value) {
    if (!strcmp(value, "download")) return transfer_download;
    if (!strcmp(value, "upload")) return transfer_upload;
    fail("no transfer '%s'", value);
}

struct run_options parse_run_options(int count, char **arguments) {
    struct run_options options = {.concurrency = 1, .requests = 1000, .warm_up = 100};
    if (count % 2 == 0) fail("options come as --name value");
    for (int i = 1; i + 1 < count; i += 2) {
        const char *name = arguments[i], *value = arguments[i + 1];
        if (!strcmp(name, "--url")) options.url = value;
        else if (!strcmp(name, "--ca")) options.ca = value;
        else if (!strcmp(name, "--idle-url")) options.idle_url = value;
        else if (!strcmp(name, "--concurrency")) options.concurrency = atol(value);
        else if (!strcmp(name, "--requests")) options.requests = atol(value);
        else if (!strcmp(name, "--warm-up")) options.warm_up = atol(value);
        else if (!strcmp(name, "--body-bytes")) options.body_bytes = atoll(value);
        else if (!strcmp(name, "--idle-streams")) options.idle_streams = atol(value);
        else if (!strcmp(name, "--http2")) options.http2 = atoi(value);
        else if (!strcmp(name, "--transfer")) options.transfer = parse_transfer(value);
        else if (!strcmp(name, "--file")) options.file = value;
        else if (!strcmp(name, "--warm-up-url")) options.warm_up_url = value;
        else if (!strcmp(name, "--warm-up-file")) options.warm_up_file = value;
        else fail("unknown option %s", name);
    }
    if (!options.url) fail("--url is missing");
    if (options.concurrency < 1 || options.concurrency > 1024) fail("--concurrency takes 1 to 1024");
    if (options.requests < 1 || options.requests > 10000000) fail("--requests takes 1 to 10000000");
    if (options.idle_streams < 0 || options.idle_streams > 4096) fail("--idle-streams takes 0 to 4096");
    if (options.idle_streams > 0 && !options.idle_url) fail("--idle-url is missing");
    if (options.transfer != transfer_none && !options.warm_up_url) fail("--warm-up-url is missing");
    if (options.transfer == transfer_upload && (!options.file || !options.warm_up_file)) fail("--file is missing");
    if (options.warm_up < options.concurrency * 4) options.warm_up = options.concurrency * 4;
    return options;
}

const char *run_protocol(const struct run_options *options) { return options->http2 ? "HTTP/2.0" : "HTTP/1.1"; }

uint64_t monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint32_t latency_since(uint64_t started) {
    uint64_t latency = monotonic_nanoseconds() - started;
    return latency < 4000000000u ? (uint32_t)latency : 4000000000u;
}

static double microseconds(struct timeval time) { return (double)time.tv_sec * 1e6 + (double)time.tv_usec; }

struct usage current_usage(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct usage){monotonic_nanoseconds(), microseconds(usage.ru_utime), microseconds(usage.ru_stime),
                          usage.ru_nvcsw};
}

/* ru_maxrss would include the process that started this one (see ProcessUsage.swift). */
static long kibibytes(const char *name) {
#ifdef __linux__
    long kibibytes = 0;
    char line[256];
    size_t length = strlen(name);
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, name, length)) {
            kibibytes = atol(line + length);
            break;
        }
    fclose(file);
    return kibibytes;
#else
    struct rusage usage;
    (void)name;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
#endif
}

long resident_kibibytes(void) { return kibibytes("VmRSS:"); }

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void print_requests(long requests, uint32_t *latencies, struct usage before, struct usage after) {
    /* Read first: sorting takes memory of its own. */
    long peak = kibibytes("VmHWM:");
    double n = (double)requests;
    double seconds = (double)(after.nanoseconds - before.nanoseconds) / 1e9;
    double user = (after.user_microseconds - before.user_microseconds) / n;
    double system = (after.system_microseconds - before.system_microseconds) / n;
    qsort(latencies, (size_t)requests, sizeof *latencies, ascending);
    printf("{\"requests\":%ld,\"requestsPerSecond\":%.1f,\"cpuMicroseconds\":%.3f,\"userMicroseconds\":%.3f,"
           "\"systemMicroseconds\":%.3f,\"p50Microseconds\":%.1f,\"p99Microseconds\":%.1f,"
           "\"peakResidentKibibytes\":%ld,\"switchesPerRequest\":%.3f}\n",
           requests, n / seconds, user + system, user, system, latencies[requests / 2] / 1e3,
           latencies[requests * 99 / 100] / 1e3, peak, (double)(after.switches - before.switches) / n);
}

void print_transfers(const struct run_options *options, long resident_before, struct usage before, struct usage after) {
    long peak = kibibytes("VmHWM:");
    double mebibytes = (double)options->body_bytes / 1048576 * (double)options->requests;
    double seconds = (double)(after.nanoseconds - before.nanoseconds) / 1e9;
    double cpu = after.user_microseconds + after.system_microseconds - before.user_microseconds -
                 before.system_microseconds;
    printf("{\"mebibytesPerSecond\":%.1f,\"cpuMicroseconds\":%.3f,\"switchesPerMebibyte\":%.3f,"
           "\"grownKibibytes\":%ld,\"peakResidentKibibytes\":%ld}\n",
           mebibytes / seconds, cpu / mebibytes, (double)(after.switches - before.switches) / mebibytes,
           peak > resident_before ? peak - resident_before : 0, peak);
}
