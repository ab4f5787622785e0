/** Faults on purpose, and what a job makes of them. */
package dev.millrace.chaos;
