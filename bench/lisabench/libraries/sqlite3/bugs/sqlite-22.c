/* sqlite.org/lang_createtable.html, section 3.7: "Each time a new row is inserted into the table or an existing row
 * is updated, the expression associated with each CHECK constraint is evaluated ... If the result is zero ... then a
 * constraint violation has occurred." */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE s(x, CHECK(rowid <= 5)); CREATE TABLE d(x, CHECK(rowid <= 5))", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO s VALUES(1), (2), (3); INSERT INTO d SELECT x FROM s", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_exec(db, "INSERT INTO d SELECT * FROM s", 0, 0, 0) == SQLITE_CONSTRAINT);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
