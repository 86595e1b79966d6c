/* sqlite.org/datatype3.html, section 7.1: "If either operand is a column, then the collating function of that
 * column is used with precedence to the left operand." So a = b compares with regard to case, b = 'ABC' without,
 * and the one row of both tables fulfils both. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t1(a TEXT); CREATE TABLE t2(b TEXT COLLATE NOCASE)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO t1 VALUES('abc'); INSERT INTO t2 VALUES('abc')", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT a FROM t1 CROSS JOIN t2 WHERE a = b AND b = 'ABC'", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "abc") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
