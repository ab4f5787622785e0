/** Proposes options by what records look like, and tries them on these. */
package dev.millrace.cli.proposal;
