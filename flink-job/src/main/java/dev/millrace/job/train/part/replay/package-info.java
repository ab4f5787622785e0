/** Replays examples that replicas learned before. */
package dev.millrace.job.train.part.replay;
