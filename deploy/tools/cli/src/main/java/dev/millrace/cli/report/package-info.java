/** What an evaluation has found, as JSON for programs and as a page for people. */
package dev.millrace.cli.report;
