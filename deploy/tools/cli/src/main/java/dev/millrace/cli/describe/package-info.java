/**
 * What a sample of records looks like, and the description of their fields that follows from it.
 */
package dev.millrace.cli.describe;
