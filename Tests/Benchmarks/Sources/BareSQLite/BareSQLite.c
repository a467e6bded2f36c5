#include "BareSQLite.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE, HASHTAG, ANNOTATION, PLACE, LOCATION, BEGIN, COMMIT, STATEMENTS };

struct BareStore {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS];
    char *sql;
    sqlite3_stmt *query;
};

static const char *const triggers =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;"
    "CREATE TRIGGER IF NOT EXISTS bare_message AFTER INSERT ON message BEGIN"
    "    INSERT INTO message_words (rowid, text) VALUES (new.local_id, new.text); END;"
    "CREATE TRIGGER IF NOT EXISTS bare_location AFTER INSERT ON location_instance BEGIN"
    "    INSERT INTO location_words (rowid, name) VALUES (new.local_id, new.name); END;"
    "CREATE TRIGGER IF NOT EXISTS bare_place AFTER INSERT ON place BEGIN"
    "    INSERT INTO place_words (rowid, name) VALUES (new.key, new.name); END;";

static const char *const texts[STATEMENTS] = {
    "INSERT INTO message (id, channel_id, display_date_ms, sort_key, created_ms, kind, json_version, text, json)"
    " VALUES (?, ?, ?, ?, ?, 'sent', 1, ?, ?)",
    "INSERT INTO hashtag_instance (folded, local_id, name) VALUES (?, ?, ?)",
    "INSERT INTO annotation_instance (type, local_id, count) VALUES (?, ?, ?)",
    "INSERT INTO place (id, name, latitude, longitude, lat_key, lon_key, is_custom, sort_key, json)"
    " VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)"
    " ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json, sort_key = excluded.sort_key",
    "INSERT INTO location_instance (local_id, name, latitude, longitude, source) VALUES (?, ?, ?, ?, 'ohai')",
    "BEGIN IMMEDIATE",
    "COMMIT",
};

BareStore *bare_open(const char *path) {
    BareStore *store = calloc(1, sizeof *store);
    if (!store) return NULL;
    if (sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_exec(store->database, triggers, NULL, NULL, NULL) != SQLITE_OK) {
        bare_close(store);
        return NULL;
    }
    for (int i = 0; i < STATEMENTS; i++) {
        if (sqlite3_prepare_v3(store->database, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &store->statements[i], NULL)
            != SQLITE_OK) {
            bare_close(store);
            return NULL;
        }
    }
    return store;
}

void bare_close(BareStore *store) {
    if (!store) return;
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(store->statements[i]);
    sqlite3_finalize(store->query);
    free(store->sql);
    sqlite3_close(store->database);
    free(store);
}

static int run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

static void bind(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static int insert_place(BareStore *store, const BareRow *row, int64_t local_id) {
    const BarePlace *place = row->place;
    sqlite3_stmt *statement = store->statements[PLACE];
    bind(statement, 1, place->id);
    bind(statement, 2, place->name);
    sqlite3_bind_double(statement, 3, place->latitude);
    sqlite3_bind_double(statement, 4, place->longitude);
    sqlite3_bind_int64(statement, 5, place->latitude_key);
    sqlite3_bind_int64(statement, 6, place->longitude_key);
    sqlite3_bind_int64(statement, 7, row->sort_key);
    bind(statement, 8, place->json);
    int result = run(statement);
    if (result != SQLITE_OK) return result;
    statement = store->statements[LOCATION];
    sqlite3_bind_int64(statement, 1, local_id);
    bind(statement, 2, place->name);
    sqlite3_bind_double(statement, 3, place->latitude);
    sqlite3_bind_double(statement, 4, place->longitude);
    return run(statement);
}

static int insert_row(BareStore *store, const BareRow *row) {
    sqlite3_stmt *statement = store->statements[MESSAGE];
    bind(statement, 1, row->id);
    bind(statement, 2, row->channel);
    sqlite3_bind_int64(statement, 3, row->display_date);
    sqlite3_bind_int64(statement, 4, row->sort_key);
    sqlite3_bind_int64(statement, 5, row->created);
    bind(statement, 6, row->text);
    bind(statement, 7, row->json);
    int result = run(statement);
    if (result != SQLITE_OK) return result;
    int64_t local_id = sqlite3_last_insert_rowid(store->database);
    for (size_t i = 0; i < row->hashtag_count; i++) {
        statement = store->statements[HASHTAG];
        bind(statement, 1, row->hashtags[i].folded);
        sqlite3_bind_int64(statement, 2, local_id);
        bind(statement, 3, row->hashtags[i].name);
        if ((result = run(statement)) != SQLITE_OK) return result;
    }
    for (size_t i = 0; i < row->annotation_count; i++) {
        statement = store->statements[ANNOTATION];
        bind(statement, 1, row->annotations[i].type);
        sqlite3_bind_int64(statement, 2, local_id);
        sqlite3_bind_int64(statement, 3, row->annotations[i].count);
        if ((result = run(statement)) != SQLITE_OK) return result;
    }
    return row->place ? insert_place(store, row, local_id) : SQLITE_OK;
}

int bare_insert(BareStore *store, const BareRow *rows, size_t count, size_t page) {
    for (size_t start = 0; start < count; start += page) {
        int result = run(store->statements[BEGIN]);
        for (size_t i = start; i < count && i < start + page && result == SQLITE_OK; i++) {
            result = insert_row(store, &rows[i]);
        }
        if (result == SQLITE_OK) result = run(store->statements[COMMIT]);
        if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
}

int64_t bare_query(BareStore *store, const char *sql) {
    if (!store->sql || strcmp(store->sql, sql) != 0) {
        sqlite3_finalize(store->query);
        store->query = NULL;
        free(store->sql);
        store->sql = strdup(sql);
        if (sqlite3_prepare_v3(store->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &store->query, NULL) != SQLITE_OK) {
            return -1;
        }
    }
    int64_t count = 0;
    int result;
    volatile size_t bytes = 0;
    while ((result = sqlite3_step(store->query)) == SQLITE_ROW) {
        int columns = sqlite3_column_count(store->query);
        for (int i = 0; i < columns; i++) {
            sqlite3_column_text(store->query, i);
            bytes += (size_t)sqlite3_column_bytes(store->query, i);
        }
        count++;
    }
    sqlite3_reset(store->query);
    return result == SQLITE_DONE ? count : -1;
}
