/** Makes published models again, and compares them. */
package dev.millrace.cli.rebuild;
