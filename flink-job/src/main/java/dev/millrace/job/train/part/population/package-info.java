/** Trains several models in the place of one. */
package dev.millrace.job.train.part.population;
