/**
 * Real operators in tasks of virtual time: what Flink's runtime does with one, and nothing more.
 */
package dev.millrace.simulate.task;
