/* The floor: libcurl's multi interface from C, one thread, curl_multi_poll, a closed loop.
 *
 * It does per request what any client of ours must do (URL, headers, time-out, fresh body buffer) and
 * nothing else: no error mapping, no cancellation, no limits. Takes the options of RunOptions.swift and
 * prints the members of Measurement.swift. */

#define _GNU_SOURCE
#include "PeerFailure.h"

#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <time.h>

static const char authorization[] =
    "authorization: Bearer 0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqr";
/* The server says in it which protocol it spoke. */
static const char looked_up_header[] = "x-protocol: ";

struct options {
    const char *url;
    const char *ca;
    const char *idle_url;
    long concurrency;
    long requests;
    long warm_up;
    long body_bytes;
    long idle_streams;
    int http2;
};

/* One request in flight and the memory that it reuses. */
struct slot {
    CURL *handle;
    struct curl_slist *headers;
    char *body;
    size_t body_length;
    size_t body_capacity;
    char head[8192];
    size_t head_length;
    uint64_t started;
};

struct loop {
    CURLM *multi;
    const struct options *options;
    uint32_t *latencies;
    long total;
    long started;
    long answered;
};

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (slot->body_length + length > slot->body_capacity) {
        curl_off_t announced = -1;
        size_t capacity = slot->body_capacity;
        if (!capacity) {
            curl_easy_getinfo(slot->handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
            capacity = announced > 0 ? (size_t)announced : 16384;
        }
        while (capacity < slot->body_length + length) capacity *= 2;
        slot->body = checked(realloc(slot->body, capacity));
        slot->body_capacity = capacity;
    }
    memcpy(slot->body + slot->body_length, bytes, length);
    slot->body_length += length;
    return length;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (slot->head_length + length > sizeof slot->head) return 0;
    memcpy(slot->head + slot->head_length, bytes, length);
    slot->head_length += length;
    return length;
}

static int has_header(const struct slot *slot, const char *name, const char *value) {
    size_t name_length = strlen(name), value_length = strlen(value);
    const char *line = slot->head, *end = slot->head + slot->head_length;
    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if ((size_t)(end - line) > name_length + value_length && !strncasecmp(line, name, name_length))
            return !strncmp(line + name_length, value, value_length);
        if (!next) return 0;
        line = next + 1;
    }
    return 0;
}

static void set_constants(struct slot *slot, const struct options *options) {
    CURL *handle = slot->handle;
    curl_easy_setopt(handle, CURLOPT_PRIVATE, slot);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, slot);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, slot);
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 1L);
    if (options->ca) curl_easy_setopt(handle, CURLOPT_CAINFO, options->ca);
    if (options->http2) {
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(handle, CURLOPT_PIPEWAIT, 1L);
    } else {
        curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    }
}

static void start(struct loop *loop, struct slot *slot, const char *url, long timeout_ms) {
    struct curl_slist *headers = NULL;
    headers = curl_slist_append(headers, authorization);
    headers = curl_slist_append(headers, "accept: application/json");
    headers = curl_slist_append(headers, "user-agent: benchmark/1");
    curl_easy_setopt(slot->handle, CURLOPT_URL, url);
    curl_easy_setopt(slot->handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(slot->handle, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(slot->handle, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_slist_free_all(slot->headers);
    slot->headers = headers;
    /* The caller of a library keeps the body, so each request has its own. */
    free(slot->body);
    slot->body = NULL;
    slot->body_length = slot->body_capacity = slot->head_length = 0;
    slot->started = now();
    if (curl_multi_add_handle(loop->multi, slot->handle)) fail("curl_multi_add_handle");
}

static void finish(struct loop *loop, CURL *handle, CURLcode result) {
    struct slot *slot = NULL;
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&slot);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    uint64_t latency = now() - slot->started;
    if (result || status != 200 || slot->body_length != (size_t)loop->options->body_bytes ||
        !has_header(slot, looked_up_header, loop->options->http2 ? "HTTP/2.0" : "HTTP/1.1"))
        fail("%s, status %ld, %zu bytes, or another protocol", curl_easy_strerror(result), status, slot->body_length);
    loop->latencies[loop->answered++] = latency < 4000000000u ? (uint32_t)latency : 4000000000u;
    curl_multi_remove_handle(loop->multi, handle);
    if (loop->started < loop->total) {
        loop->started++;
        start(loop, slot, loop->options->url, 30000);
    }
}

static void run(struct loop *loop, struct slot *slots, long total) {
    int running = 0;
    loop->total = total;
    loop->started = loop->answered = 0;
    for (long i = 0; i < loop->options->concurrency && loop->started < total; i++) {
        loop->started++;
        start(loop, &slots[i], loop->options->url, 30000);
    }
    while (loop->answered < total) {
        long before = loop->answered;
        int queued = 0;
        CURLMsg *message;
        curl_multi_perform(loop->multi, &running);
        while ((message = curl_multi_info_read(loop->multi, &queued)))
            if (message->msg == CURLMSG_DONE) finish(loop, message->easy_handle, message->data.result);
        if (loop->answered == before) curl_multi_poll(loop->multi, NULL, 0, 1000, NULL);
    }
}

/* Opens responses that never end and waits for their heads. */
static void hold_streams(struct loop *loop, struct slot *slots) {
    long open = 0;
    int running = 0;
    uint64_t deadline = now() + 30000000000u;
    for (long i = 0; i < loop->options->idle_streams; i++) start(loop, &slots[i], loop->options->idle_url, 3600000);
    while (open < loop->options->idle_streams) {
        if (now() > deadline) fail("only %ld of %ld idle streams opened", open, loop->options->idle_streams);
        curl_multi_perform(loop->multi, &running);
        curl_multi_poll(loop->multi, NULL, 0, 100, NULL);
        open = 0;
        for (long i = 0; i < loop->options->idle_streams; i++) open += slots[i].head_length > 0;
    }
}

static double microseconds(struct timeval time) { return (double)time.tv_sec * 1e6 + (double)time.tv_usec; }

/* ru_maxrss would include the process that started this one (see ProcessUsage.swift). */
static long peak_resident_kibibytes(void) {
#ifdef __linux__
    long kibibytes = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %ld", &kibibytes) == 1) break;
    fclose(file);
    return kibibytes;
#else
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
#endif
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct options parse(int count, char **arguments) {
    struct options options = {.concurrency = 1, .requests = 1000, .warm_up = 100};
    if (count % 2 == 0) fail("options come as --name value");
    for (int i = 1; i + 1 < count; i += 2) {
        const char *name = arguments[i], *value = arguments[i + 1];
        if (!strcmp(name, "--url")) options.url = value;
        else if (!strcmp(name, "--ca")) options.ca = value;
        else if (!strcmp(name, "--idle-url")) options.idle_url = value;
        else if (!strcmp(name, "--concurrency")) options.concurrency = atol(value);
        else if (!strcmp(name, "--requests")) options.requests = atol(value);
        else if (!strcmp(name, "--warm-up")) options.warm_up = atol(value);
        else if (!strcmp(name, "--body-bytes")) options.body_bytes = atol(value);
        else if (!strcmp(name, "--idle-streams")) options.idle_streams = atol(value);
        else if (!strcmp(name, "--http2")) options.http2 = atoi(value);
        else fail("unknown option %s", name);
    }
    if (!options.url) fail("--url is missing");
    if (options.concurrency < 1 || options.concurrency > 1024) fail("--concurrency takes 1 to 1024");
    if (options.requests < 1 || options.requests > 10000000) fail("--requests takes 1 to 10000000");
    if (options.idle_streams < 0 || options.idle_streams > 4096) fail("--idle-streams takes 0 to 4096");
    if (options.warm_up < options.concurrency * 4) options.warm_up = options.concurrency * 4;
    return options;
}

static struct slot *make_slots(long count, const struct options *options) {
    struct slot *slots = checked(calloc((size_t)count + 1, sizeof *slots));
    for (long i = 0; i < count; i++) {
        slots[i].handle = checked(curl_easy_init());
        set_constants(&slots[i], options);
    }
    return slots;
}

int main(int count, char **arguments) {
    struct options options = parse(count, arguments);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct loop loop = {.multi = checked(curl_multi_init()), .options = &options};
    long most = options.requests > options.warm_up ? options.requests : options.warm_up;
    loop.latencies = checked(malloc(sizeof *loop.latencies * (size_t)most));
    long connections = options.concurrency + options.idle_streams;
    curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, 2 * (connections > 64 ? connections : 64));
    curl_multi_setopt(loop.multi, CURLMOPT_PIPELINING, options.http2 ? (long)CURLPIPE_MULTIPLEX : 0L);

    struct slot *slots = make_slots(options.concurrency, &options);
    hold_streams(&loop, make_slots(options.idle_streams, &options));
    run(&loop, slots, options.warm_up);

    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    uint64_t began = now();
    run(&loop, slots, options.requests);
    double seconds = (double)(now() - began) / 1e9;
    getrusage(RUSAGE_SELF, &after);
    long peak = peak_resident_kibibytes();

    double n = (double)options.requests;
    double user = (microseconds(after.ru_utime) - microseconds(before.ru_utime)) / n;
    double system = (microseconds(after.ru_stime) - microseconds(before.ru_stime)) / n;
    qsort(loop.latencies, (size_t)options.requests, sizeof *loop.latencies, ascending);
    printf("{\"requests\":%ld,\"requestsPerSecond\":%.1f,\"cpuMicroseconds\":%.3f,\"userMicroseconds\":%.3f,"
           "\"systemMicroseconds\":%.3f,\"p50Microseconds\":%.1f,\"p99Microseconds\":%.1f,"
           "\"peakResidentKibibytes\":%ld,\"switchesPerRequest\":%.3f}\n",
           options.requests, n / seconds, user + system, user, system,
           loop.latencies[options.requests / 2] / 1e3, loop.latencies[options.requests * 99 / 100] / 1e3, peak,
           (double)(after.ru_nvcsw - before.ru_nvcsw) / n);
    return 0;
}
