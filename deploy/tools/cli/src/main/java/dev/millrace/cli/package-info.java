/**
 * The one entry for people. {@code demo} and {@code train} start what a run needs on this machine,
 * show its progress, and stop all of it again; the others feed topics, run a cluster, and read
 * models where they are kept.
 */
package dev.millrace.cli;
