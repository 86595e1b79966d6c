/* sqlite.org/lang_corefunc.html, substr(X,Y,Z): "returns a substring of input string X that begins with the Y-th
 * character and which is Z characters long"; without Z it "returns all characters through the end of the string X
 * beginning with the Y-th". */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT substr('hello', 4294967298), substr('hello', 2, 4294967297)",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "") == 0);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_TEXT);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 1), "ello") == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
