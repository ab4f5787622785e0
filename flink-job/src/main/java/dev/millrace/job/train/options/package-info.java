/** The options of training, and what they must say together. */
package dev.millrace.job.train.options;
