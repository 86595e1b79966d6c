/* sqlite.org/lang_altertable.html, section "ALTER TABLE DROP COLUMN": "The DROP COLUMN command removes the named
 * column from the table", and fails only for the reasons listed there; a comment before the column's definition
 * is none of them. The other columns stay. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(a, b, -- x, y\n c); INSERT INTO t VALUES(1,2,3);", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "ALTER TABLE t DROP COLUMN c", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT * FROM t", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_column_count(stmt) == 2);
    assert(strcmp(sqlite3_column_name(stmt, 0), "a") == 0 && strcmp(sqlite3_column_name(stmt, 1), "b") == 0);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1 && sqlite3_column_int(stmt, 1) == 2);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
