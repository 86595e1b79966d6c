/* sqlite.org/lang_select.html, section 2.4: "If the SELECT statement is an aggregate query without a GROUP BY
 * clause", then "it always returns exactly one row", "even if there are zero rows of input data". max(x) makes it
 * one. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(x)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT max(x) IN () FROM t", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 0);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
