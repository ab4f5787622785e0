/** Why records weren't learned, counted, as metric records. */
package dev.millrace.job.train.reject;
