/* OR is a boolean operator, and "the boolean identifiers TRUE and FALSE are usually just aliases for the integer
 * values 1 and 0" (sqlite.org/lang_expr.html, section "Boolean Expressions"); a value other than zero counts as
 * true. So 0 OR 2 is 1. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT 0 OR 2", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
