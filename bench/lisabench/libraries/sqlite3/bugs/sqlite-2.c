/* sqlite3.h, comment of sqlite3_wal_checkpoint_v2(): "The M parameter must be a valid checkpoint mode", of
 * which SQLITE_CHECKPOINT_NOOP is one: "This mode always checkpoints zero frames." Outside WAL mode the counts
 * are -1: "*pnLog is set to the total number of frames in the log file or to -1 if the checkpoint could not
 * run because of an error or because the database is not in WAL mode". */
#include <assert.h>
#include "sqlite3.h"
int main(void)
{
    sqlite3 *db;
    int log = 7, checkpointed = 7;
    assert(sqlite3_open(":memory:", &db) == SQLITE_OK);
    assert(sqlite3_wal_checkpoint_v2(db, 0, SQLITE_CHECKPOINT_PASSIVE, &log, &checkpointed) == SQLITE_OK);
    assert(sqlite3_wal_checkpoint_v2(db, 0, SQLITE_CHECKPOINT_NOOP, &log, &checkpointed) == SQLITE_OK);
    assert(log == -1 && checkpointed == -1);
    assert(sqlite3_close(db) == SQLITE_OK);
    return 0;
}
