/** Makes a scoring job of checked options. */
package dev.millrace.job.score.setup;
