/* sqlite.org/lang_select.html, section 2.3: "If a WHERE clause is specified, the WHERE expression is evaluated for
 * each row in the input data as a boolean expression. Only rows for which the WHERE clause expression evaluates to
 * true are included from the dataset before continuing." */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t1(a); INSERT INTO t1 VALUES(1); CREATE TABLE t2(d, e); CREATE INDEX i ON t2(d, (e+1))",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO t2 VALUES(1, 3), (2, 555), (3, 3)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT d, e FROM t1 RIGHT JOIN t2 ON a = d WHERE (t2.e+1) != 4",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 2);
    assert(sqlite3_column_int(stmt, 1) == 555);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
