/* sqlite.org/datatype3.html, section 3: "A column with REAL affinity behaves like a column with NUMERIC affinity
 * except that it forces integer values into floating point representation." sqlite.org/lang_upsert.html: excluded.
 * has "the value that would have been inserted had there been no conflict". */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(a, b GENERATED ALWAYS AS (a+1) VIRTUAL, c REAL, d UNIQUE); INSERT INTO t(a, c, d) VALUES(5, 5, 5)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO t(c, d) VALUES(22, 5) ON CONFLICT(d) DO UPDATE SET a = excluded.c",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT typeof(a) FROM t", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "real") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
