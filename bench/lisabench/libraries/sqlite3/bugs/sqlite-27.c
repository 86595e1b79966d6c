/* sqlite.org/rowvalue.html, section 2.2: a row-value IN compares the left side with the rows of the subquery,
 * element by element, from left to right. The table has the row, so both orders of its columns find it. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(c1 TEXT, c2 INTEGER, PRIMARY KEY(c1, c2)); INSERT INTO t VALUES('a', 1)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT ('a', 1) IN (SELECT c1, c2 FROM t), (1, 'a') IN (SELECT c2, c1 FROM t)",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_int(stmt, 1) == 1);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
