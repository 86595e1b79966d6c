/* sqlite.org/lang_select.html, section "WHERE clause filtering": "the WHERE expression is evaluated for each row
 * in the input data", and rows for which it is true "are included". A row is included once, however many rows
 * of the subquery satisfy it: lang_expr.html, section "The EXISTS operator", "always evaluates to one of the
 * integer values 0 and 1". The UNIQUE index makes the inner loop one that runs at most once. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db,
        "CREATE TABLE t1(x); INSERT INTO t1 VALUES(1);"
        "CREATE TABLE t2(i); INSERT INTO t2 VALUES(100),(200);"
        "CREATE TABLE t3(y NOT NULL UNIQUE); INSERT INTO t3 VALUES(100),(200);", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT x FROM t1 WHERE EXISTS("
        "SELECT 1 FROM t2 WHERE EXISTS(SELECT 1 FROM t3 WHERE y=t2.i))", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
