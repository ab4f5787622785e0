/** The options of scoring, and what they must say together. */
package dev.millrace.job.score.options;
