/* sqlite.org/json1.html, section 4.18: "The json_group_object(NAME,VALUE) function returns a JSON object comprised
 * of all NAME/VALUE pairs in the aggregation." RFC 8259, section 4: a name in an object is a string. So the result
 * is valid JSON whatever the names. */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "CREATE TABLE t(k, v); INSERT INTO t VALUES('a', 1), (NULL, 2), ('c', 3)",
        0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db,
        "SELECT json_valid(json_group_object(k, v)), json_extract(json_group_object(k, v), '$.c') FROM t",
        -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(sqlite3_column_int(stmt, 0) == 1);
    assert(sqlite3_column_int(stmt, 1) == 3);
    assert(sqlite3_step(stmt) == SQLITE_DONE);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
