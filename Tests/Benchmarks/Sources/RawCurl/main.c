/* The floor: libcurl's multi interface from C, one thread, curl_multi_poll, a closed loop.
 *
 * It does per request what any client of ours must do (URL, headers, time-out, fresh body buffer) and
 * nothing else: no error mapping, no cancellation, no limits. Large bodies are counted as they come, or
 * read from a file while they are sent. */

#define _GNU_SOURCE
#include "PeerFailure.h"
#include "PeerRun.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* What libcurl reads or sends at a time of large bodies. Its own 16 KiB would cost more calls of the system. */
static const long bulk_buffer_bytes = 128 * 1024;

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
    const struct loop *loop;
    /* Of large bodies: the bytes that came of a download, and the file of an upload. */
    long long counted;
    int file;
};

struct loop {
    CURLM *multi;
    const struct run_options *options;
    const char *url;
    const char *file;
    long long body_bytes;
    uint32_t *latencies;
    long total;
    long started;
    long answered;
};

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

static size_t on_counted_body(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    (void)bytes;
    slot->counted += (long long)(size * count);
    return size * count;
}

static size_t on_upload(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    ssize_t length = read(slot->file, bytes, size * count);
    return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    struct slot *slot = context;
    size_t length = size * count;
    if (slot->head_length + length > sizeof slot->head) return 0;
    memcpy(slot->head + slot->head_length, bytes, length);
    slot->head_length += length;
    return length;
}

/* Whether the server spoke the protocol of the run, by its own header. */
static int has_protocol(const struct slot *slot) {
    const char *value = run_protocol(slot->loop->options);
    size_t name_length = strlen(run_looked_up_header), value_length = strlen(value);
    const char *line = slot->head, *end = slot->head + slot->head_length;
    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if ((size_t)(end - line) > name_length + 2 + value_length &&
            !strncasecmp(line, run_looked_up_header, name_length) && line[name_length] == ':')
            return !strncmp(line + name_length + 2, value, value_length);
        if (!next) return 0;
        line = next + 1;
    }
    return 0;
}

static void set_constants(struct slot *slot, const struct run_options *options) {
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
    if (options->transfer == transfer_download) {
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_counted_body);
        curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, bulk_buffer_bytes);
    } else if (options->transfer == transfer_upload) {
        curl_easy_setopt(handle, CURLOPT_READFUNCTION, on_upload);
        curl_easy_setopt(handle, CURLOPT_READDATA, slot);
        curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, bulk_buffer_bytes);
    }
}

static void open_upload(struct slot *slot, const char *path) {
    struct stat status;
    if ((slot->file = open(path, O_RDONLY | O_CLOEXEC)) < 0 || fstat(slot->file, &status)) fail("%s cannot be read", path);
    curl_easy_setopt(slot->handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(slot->handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
}

static void start(struct loop *loop, struct slot *slot, const char *url, long timeout_ms) {
    struct curl_slist *headers = NULL;
    headers = curl_slist_append(headers, run_authorization);
    headers = curl_slist_append(headers, "accept: application/json");
    headers = curl_slist_append(headers, "user-agent: benchmark/1");
    /* The server of uploads does not answer to it, and libcurl would wait. */
    if (loop->file) headers = curl_slist_append(headers, "expect:");
    curl_easy_setopt(slot->handle, CURLOPT_URL, url);
    curl_easy_setopt(slot->handle, CURLOPT_HTTPHEADER, headers);
    if (loop->file) open_upload(slot, loop->file);
    else curl_easy_setopt(slot->handle, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(slot->handle, CURLOPT_TIMEOUT_MS, timeout_ms);
    curl_slist_free_all(slot->headers);
    slot->headers = headers;
    /* The caller of a library keeps the body, so each request has its own. */
    free(slot->body);
    slot->body = NULL;
    slot->body_length = slot->body_capacity = slot->head_length = 0;
    slot->counted = 0;
    slot->loop = loop;
    slot->started = monotonic_nanoseconds();
    if (curl_multi_add_handle(loop->multi, slot->handle)) fail("curl_multi_add_handle");
}

/* Whether the body has the length of the run; the server of uploads answers with the length that it read. */
static int is_whole(struct slot *slot) {
    char text[24];
    switch (slot->loop->options->transfer) {
    case transfer_none: return slot->body_length == (size_t)slot->loop->body_bytes && has_protocol(slot);
    case transfer_download: return slot->counted == slot->loop->body_bytes;
    case transfer_upload:
        close(slot->file);
        if (slot->body_length >= sizeof text) return 0;
        if (slot->body_length) memcpy(text, slot->body, slot->body_length);
        text[slot->body_length] = 0;
        return atoll(text) == slot->loop->body_bytes;
    }
    return 0;
}

static void finish(struct loop *loop, CURL *handle, CURLcode result) {
    struct slot *slot = NULL;
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&slot);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    uint32_t latency = latency_since(slot->started);
    if (result || status != 200 || !is_whole(slot))
        fail("%s, status %ld, another length, or another protocol", curl_easy_strerror(result), status);
    loop->latencies[loop->answered++] = latency;
    curl_multi_remove_handle(loop->multi, handle);
    if (loop->started < loop->total) {
        loop->started++;
        start(loop, slot, loop->url, 30000);
    }
}

static void run(struct loop *loop, struct slot *slots, long total) {
    int running = 0;
    loop->total = total;
    loop->started = loop->answered = 0;
    for (long i = 0; i < loop->options->concurrency && loop->started < total; i++) {
        loop->started++;
        start(loop, &slots[i], loop->url, 30000);
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
    uint64_t deadline = monotonic_nanoseconds() + 30000000000u;
    for (long i = 0; i < loop->options->idle_streams; i++) start(loop, &slots[i], loop->options->idle_url, 3600000);
    while (open < loop->options->idle_streams) {
        if (monotonic_nanoseconds() > deadline)
            fail("only %ld of %ld idle streams opened", open, loop->options->idle_streams);
        curl_multi_perform(loop->multi, &running);
        curl_multi_poll(loop->multi, NULL, 0, 100, NULL);
        open = 0;
        for (long i = 0; i < loop->options->idle_streams; i++) open += slots[i].head_length > 0;
    }
}

static struct slot *make_slots(long count, const struct run_options *options) {
    struct slot *slots = checked(calloc((size_t)count + 1, sizeof *slots));
    for (long i = 0; i < count; i++) {
        slots[i].handle = checked(curl_easy_init());
        set_constants(&slots[i], options);
    }
    return slots;
}

/* A small body first, then the measured ones. */
static void run_transfers(struct loop *loop, struct slot *slots) {
    const struct run_options *options = loop->options;
    struct stat small;
    if (!options->warm_up_file || stat(options->warm_up_file, &small)) fail("--warm-up-file cannot be read");
    loop->url = options->warm_up_url;
    loop->file = options->transfer == transfer_upload ? options->warm_up_file : NULL;
    loop->body_bytes = small.st_size;
    run(loop, slots, 1);
    long resident = resident_kibibytes();
    loop->url = options->url;
    loop->file = options->transfer == transfer_upload ? options->file : NULL;
    loop->body_bytes = options->body_bytes;
    struct usage before = current_usage();
    run(loop, slots, options->requests);
    print_transfers(options, resident, before, current_usage());
}

int main(int count, char **arguments) {
    struct run_options options = parse_run_options(count, arguments);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    struct loop loop = {.multi = checked(curl_multi_init()), .options = &options, .url = options.url,
                        .body_bytes = options.body_bytes};
    long most = options.requests > options.warm_up ? options.requests : options.warm_up;
    loop.latencies = checked(malloc(sizeof *loop.latencies * (size_t)most));
    long connections = options.concurrency + options.idle_streams;
    curl_multi_setopt(loop.multi, CURLMOPT_MAXCONNECTS, 2 * (connections > 64 ? connections : 64));
    curl_multi_setopt(loop.multi, CURLMOPT_PIPELINING, options.http2 ? (long)CURLPIPE_MULTIPLEX : 0L);

    struct slot *slots = make_slots(options.concurrency, &options);
    if (options.transfer != transfer_none) {
        run_transfers(&loop, slots);
        return 0;
    }
    hold_streams(&loop, make_slots(options.idle_streams, &options));
    run(&loop, slots, options.warm_up);
    struct usage before = current_usage();
    run(&loop, slots, options.requests);
    print_requests(options.requests, loop.latencies, before, current_usage());
    return 0;
}
