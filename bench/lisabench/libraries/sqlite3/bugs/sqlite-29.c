/* sqlite3.h, sqlite3_set_authorizer: "At various points during the compilation process, as logic is being created to
 * perform various actions, the authorizer callback is invoked to see if those actions are allowed"; SQLITE_DENY causes
 * "the entire SQL statement to be rejected with an error". x is read of both tables. */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
static int deny_x(void *unused, int action, const char *table, const char *column, const char *schema, const char *by)
{
    (void)unused, (void)table, (void)schema, (void)by;
    return action == SQLITE_READ && strcmp(column, "x") == 0 ? SQLITE_DENY : SQLITE_OK;
}
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t1(x, y); CREATE TABLE t2(x, z)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_set_authorizer(db, deny_x, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT x FROM t1", -1, &stmt, 0) == SQLITE_AUTH);
    assert(sqlite3_prepare_v2(db, "SELECT x FROM t1 FULL JOIN t2 USING(x)", -1, &stmt, 0) == SQLITE_AUTH);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
