/* sqlite.org/datatype3.html, "Comparison Expressions": "If the values are numeric, they are compared by value".
 * The number -9223372036854775808.0 is exactly the integer -9223372036854775808, so the row with that rowid is
 * found, by a search of the key (first term) as by a comparison of every row (second one). */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(x); INSERT INTO t(rowid, x) VALUES(-9223372036854775808, 1), (0, 2)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT x, (SELECT x FROM t WHERE rowid = -9223372036854775808.0) FROM t WHERE +rowid = -9223372036854775808.0",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_int(stmt, 1) == 1);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
