/** What a running job tells of itself, as others follow it. */
package dev.millrace.cli.progress;
