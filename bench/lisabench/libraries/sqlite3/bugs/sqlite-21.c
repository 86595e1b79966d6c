/* sqlite3.h, sqlite3_set_authorizer: "If the action code is SQLITE_READ and the callback returns SQLITE_IGNORE
 * then the prepared statement statement is constructed to substitute a NULL value in place of the table column that
 * would have been read if SQLITE_OK had been returned." */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
static int hide_b(void *unused, int action, const char *table, const char *column, const char *schema, const char *by)
{
    (void)unused, (void)schema, (void)by;
    if (action == SQLITE_READ && strcmp(table, "s") == 0 && strcmp(column, "b") == 0)
        return SQLITE_IGNORE;
    return SQLITE_OK;
}
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE s(a, b); CREATE TABLE d(a, b); INSERT INTO s VALUES(1, 2)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_set_authorizer(db, hide_b, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO d SELECT * FROM s", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT a, b FROM d", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_type(stmt, 1) == SQLITE_NULL);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
