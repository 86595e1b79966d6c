/* sqlite3.h, SQLITE_DBCONFIG_ENABLE_TRIGGER: "Originally this option disabled all triggers. However, since SQLite
 * version 3.35.0, TEMP triggers are still allowed even if this option is off." */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(x); CREATE TEMP VIEW v AS SELECT x FROM t", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TEMP TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES(NEW.x); END",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO v VALUES(7)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT x FROM t", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 7);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
