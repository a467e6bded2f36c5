#ifndef BARE_SQLITE_H
#define BARE_SQLITE_H

#include <stddef.h>
#include <stdint.h>

// What the engine's store does, by SQLite's own functions and with a trigger for each row: the measure for the engine.

typedef struct {
    const char *folded;
    const char *name;
} BareHashtag;

typedef struct {
    const char *type;
    int64_t count;
} BareAnnotation;

typedef struct {
    const char *id;
    const char *name;
    const char *json;
    double latitude;
    double longitude;
    int64_t latitude_key;
    int64_t longitude_key;
} BarePlace;

typedef struct {
    const char *id;
    const char *channel;
    // The words of the full-text index.
    const char *text;
    const char *json;
    int64_t display_date;
    int64_t sort_key;
    int64_t created;
    const BareHashtag *hashtags;
    size_t hashtag_count;
    const BareAnnotation *annotations;
    size_t annotation_count;
    // NULL for none.
    const BarePlace *place;
} BareRow;

typedef struct BareStore BareStore;

// Opens a database of the engine and adds the triggers. NULL for an error.
BareStore *bare_open(const char *path);

void bare_close(BareStore *store);

// Inserts rows in transactions of `page` rows. 0, or SQLite's error.
int bare_insert(BareStore *store, const BareRow *rows, size_t count, size_t page);

// Runs a query and reads all its columns. The number of rows, or less than 0 for an error.
int64_t bare_query(BareStore *store, const char *sql);

#endif
