/** Makes the settings of the training job of checked options. */
package dev.millrace.job.train.setup;
