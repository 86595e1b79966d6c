/* sqlite.org/lang_expr.html, section "Subquery Expressions": "The value of a subquery expression is NULL if the
 * enclosed SELECT statement returns no rows." It returns none here, because "the first M rows are omitted" with
 * OFFSET M (lang_select.html, section "The LIMIT clause") and the table has only one. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(x); INSERT INTO t VALUES(1234);", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT (SELECT x FROM t LIMIT 1 OFFSET 5), (SELECT DISTINCT x FROM t LIMIT 1 OFFSET 5)", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_type(stmt, 0) == SQLITE_NULL);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_NULL);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
