/* sqlite.org/lang_expr.html, section "CAST expressions": "To cast a BLOB value to TEXT, the sequence of bytes that
 * make up the BLOB is interpreted as text encoded using the database encoding." That holds for a blob literal
 * and for one that comes from sqlite3_bind_blob(). */
#include <assert.h>
#include <string.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_exec(db, "PRAGMA encoding='UTF-16le'; CREATE TABLE t(x)", 0, 0, 0) == SQLITE_OK);
    assert(sqlite3_prepare_v2(db, "SELECT CAST(x'61006200' AS TEXT), CAST(?1 AS TEXT)", -1, &stmt, 0) == SQLITE_OK);
    assert(sqlite3_bind_blob(stmt, 1, "a\0b\0", 4, SQLITE_STATIC) == SQLITE_OK);
    assert(sqlite3_step(stmt) == SQLITE_ROW);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 0), "ab") == 0);
    assert(strcmp((const char *)sqlite3_column_text(stmt, 1), "ab") == 0);
    assert(sqlite3_finalize(stmt) == SQLITE_OK);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
