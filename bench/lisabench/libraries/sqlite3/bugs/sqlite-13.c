/* sqlite.org/lang_update.html: "Columns that do not appear in the list of assignments are left unmodified." Column
 * b has a CHECK with IS NOT NULL and a value so long that it continues on overflow pages. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(a, b CHECK(b IS NOT NULL OR a>0));"
        "INSERT INTO t VALUES(1, printf('%.*c', 20000, 'x')); UPDATE t SET a=2;", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT a, length(b) FROM t", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 2);
    assert(sqlite3_column_int(stmt, 1) == 20000);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
