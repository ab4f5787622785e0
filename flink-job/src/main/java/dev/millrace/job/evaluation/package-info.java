/** How good the model is: the hold-out set, and the records that report it. */
package dev.millrace.job.evaluation;
