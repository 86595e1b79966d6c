/* sqlite.org/datatype3.html, section 7.1: "If either operand is a column, then the collating function of that
 * column is used with precedence to the left operand." So a = c compares without regard to case, as a is NOCASE,
 * and c = b with regard to it. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE p(a TEXT COLLATE NOCASE, b TEXT COLLATE NOCASE); INSERT INTO p VALUES('AAA', 'BBB')",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE q(x, y, c TEXT); INSERT INTO q(c) VALUES('aaa'), ('bbb'); CREATE INDEX qc ON q(c)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT c FROM p, q WHERE a = c OR c = b", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "aaa") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
