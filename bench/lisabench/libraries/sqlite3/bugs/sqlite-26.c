/* sqlite.org/rowvalue.html, section 2.1: "Two row values are compared by looking at the constituent scalar values
 * from left to right", and sqlite.org/datatype3.html, section 7.1: "with precedence to the left operand". The left
 * operand y is compared in BINARY, in which abc is greater than ABCD. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE x2(y); INSERT INTO x2 VALUES('abc')", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE x1(a, b PRIMARY KEY COLLATE NOCASE) WITHOUT ROWID; INSERT INTO x1 VALUES(1, 'ABCD'); CREATE INDEX x1a ON x1(a)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT y FROM x2 CROSS JOIN x1 WHERE (1, x2.y) > (x1.a, x1.b)",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "abc") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
