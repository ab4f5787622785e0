/**
 * Holds the seam between the coordinator and what steers training, as the detection of drifts does:
 * what contributions tell of single examples, and what follows from it for all replicas.
 */
package dev.millrace.exchange.steering;
