/* sqlite.org/datatype3.html, section 7.1: "If either operand has an explicit collating function assignment using
 * the postfix COLLATE operator, then the explicit collating function is used for comparison". So t2.b COLLATE
 * NOCASE = 'Hello' is true of hello, and t1.a = t2.b too. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "PRAGMA automatic_index = 0; CREATE TABLE t1(a TEXT); CREATE TABLE t2(b TEXT)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO t1 VALUES('hello'), ('Hello'); INSERT INTO t2 VALUES('hello'), ('Hello')",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT count(*) FROM t1 CROSS JOIN t2 WHERE t1.a = t2.b AND t2.b COLLATE NOCASE = 'Hello'",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 2);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
