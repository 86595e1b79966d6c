// Package slurm hands the cells of a run to Slurm: it writes batch scripts into the run
// directory and submits them with sbatch. It consumes the cells to work on with their time
// limits, and what a task may use. It produces a job that prepares, job arrays of one task for
// each cell, and a job that reports, each depending on the one before.
//
// It schedules nothing by itself. Slurm queues, places, ends and queues again; a task is
// `bench run --cell`, which goes on where the one before it was ended.
//
// It refuses what Slurm refuses, in Slurm's words, and cancels what it had submitted by then.
package slurm
