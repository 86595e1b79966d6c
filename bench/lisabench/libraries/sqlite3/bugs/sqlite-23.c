/* sqlite.org/lang_update.html: "all expressions are evaluated before any assignments are made", and the WHERE
 * clause says which rows of the table are updated. min(x) is 1, so x <= min(x)+2 is true of 1, 2 and 3, and 4 and
 * 5 stay. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(x INT, y INT); INSERT INTO t(x) VALUES(1), (2), (3), (4), (5)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "UPDATE t SET x = x+100 WHERE x < 3 OR (1 BETWEEN 0 AND x <= (SELECT min(x)+2 FROM t))",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT x FROM t WHERE x < 100 ORDER BY x", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 4);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 5);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
