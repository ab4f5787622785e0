/** Files that are learned from before topics are: what options say, and what is made of it. */
package dev.millrace.job.train.history;
