/** From checked options to the settings of the training job. */
package dev.millrace.job.train.setup;
