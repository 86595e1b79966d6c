/* sqlite.org/lang_select.html, section 2.2: for a LEFT JOIN "an extra row is added to the output for each row in
 * the original left-hand input dataset that corresponds to no rows at all in the composite dataset"; no other row
 * is, as 0 > 1 and NULL > 1 are not true. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t1(c1 UNIQUE NOT NULL); INSERT INTO t1 VALUES(1); CREATE TABLE t0(c0 UNIQUE); INSERT INTO t0 VALUES(0)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "WITH RECURSIVE c(n) AS (VALUES(1) UNION ALL SELECT n+1 FROM c WHERE n < 1000) INSERT INTO t0 SELECT NULL FROM c; ANALYZE",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT DISTINCT c1, c0 FROM t1 LEFT JOIN t0 ON c0 > c1", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_NULL);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
