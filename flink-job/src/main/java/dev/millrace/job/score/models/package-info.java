/** The places that a scoring job follows published models in. */
package dev.millrace.job.score.models;
