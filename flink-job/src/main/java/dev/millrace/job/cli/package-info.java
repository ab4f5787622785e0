/**
 * The one entry for people: {@code demo}, {@code train} and {@code produce}. It starts what a run
 * needs on this machine, shows its progress, and stops all of it again.
 */
package dev.millrace.job.cli;
