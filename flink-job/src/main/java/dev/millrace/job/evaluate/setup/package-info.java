/** Makes an evaluation job of arguments and options. */
package dev.millrace.job.evaluate.setup;
