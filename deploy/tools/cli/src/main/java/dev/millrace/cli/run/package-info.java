/** Runs jobs on this machine, follows them and tells what came of them. */
package dev.millrace.cli.run;
