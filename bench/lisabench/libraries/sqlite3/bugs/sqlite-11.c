/* sqlite.org/lang_datefunc.html: a time may end in "[+-]HH:MM" or "Z", and the offset "is subtracted from the
 * indicated date and time in order to compute zulu time"; so +00:00 says UTC as Z does, and the modifier 'utc'
 * has nothing left to do on either. The local zone is set to UTC-5, or a wrong shift would not show. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(setenv("TZ", "EST5", 1) == 0);
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT datetime('2000-10-29 12:00Z','utc'), datetime('2000-10-29 12:00+00:00','utc')",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "2000-10-29 12:00:00") == 0);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 1), "2000-10-29 12:00:00") == 0);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
