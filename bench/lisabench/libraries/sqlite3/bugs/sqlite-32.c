/* sqlite.org/lang_corefunc.html, round(X,Y): "returns a floating-point value X rounded to Y digits to the right of
 * the decimal point". More digits than the number has leave it as it is. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT round(1234.5678, 4294967298) = 1234.5678, round(1234.5678, 2) = 1234.57",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_int(stmt, 1) == 1);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
