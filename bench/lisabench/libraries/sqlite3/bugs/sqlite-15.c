/* sqlite.org/lang_corefunc.html, format(): "If the FORMAT argument is missing or NULL then the result is NULL";
 * printf() is an alias. An empty FORMAT is neither, so its result is the empty text. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT format(''), printf('%s', '')", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "") == 0);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 1), "") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
