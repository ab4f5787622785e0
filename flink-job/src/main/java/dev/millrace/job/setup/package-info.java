/** From options to the objects that the job is made of. */
package dev.millrace.job.setup;
