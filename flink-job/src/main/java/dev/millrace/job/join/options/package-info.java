/** The options of the join, and what they must say together. */
package dev.millrace.job.join.options;
