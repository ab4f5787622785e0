/** Holds what commands share: the console, arguments, exit codes, files and waiting. */
package dev.millrace.cli.console;
