/**
 * What a user may set: one class of Flink options per group, the reader that takes them from a YAML
 * file and the command line, the check that finds every mistake before a job is submitted, and the
 * reference page made from them.
 */
package dev.millrace.job.options;
