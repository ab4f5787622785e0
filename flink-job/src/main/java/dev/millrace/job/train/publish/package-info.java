/** How one complete version of the model leaves the job: measured, written, announced. */
package dev.millrace.job.train.publish;
