/** A job whose model has fewer fields or classes than its records: what grows, and from where. */
package dev.millrace.job.train.grow;
