/**
 * Follows the models that a job publishes, for whoever predicts with the newest: places that they
 * come from, and those that were read and tried.
 */
package dev.millrace.job.follow;
