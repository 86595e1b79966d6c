/* sqlite.org/lang_expr.html, section "The EXISTS operator": EXISTS is 1 if the SELECT on its right "would
 * return one or more rows". A compound SELECT returns the rows of its arms (lang_select.html, section
 * "Compound Select Statements"), so a row in either arm of a UNION is enough; here each arm alone has to do. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db,
        "CREATE TABLE p(id TEXT PRIMARY KEY); CREATE TABLE a(id TEXT); CREATE TABLE b(id TEXT);"
        "INSERT INTO p VALUES('k1'); INSERT INTO p VALUES('k2');"
        "INSERT INTO a VALUES('k1'); INSERT INTO b VALUES('k2');", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT count(*) FROM p WHERE EXISTS("
        "SELECT 1 FROM a WHERE a.id=p.id UNION SELECT 1 FROM b WHERE b.id=p.id)", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 2);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
