/* sqlite.org/rowvalue.html, section 2.2: for a row-value IN the left side is compared with each row of the
 * subquery "for row values"; NULL is the result if a comparison is. sqlite.org/datatype3.html, section 7.1: "x IN
 * (SELECT y ...)" compares as "x=y", so by the NOCASE of the column a. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(a TEXT COLLATE NOCASE, b TEXT); INSERT INTO t VALUES('Hello', 'world')",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT ('hello', 'world') IN (SELECT a, b FROM t), ('hello', NULL) IN (SELECT a, b FROM t), ('hi', NULL) IN (SELECT a, b FROM t)",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_NULL);
    assert(sqlite3_column_int(stmt, 2) == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
