/** Holds what is learned of features beside the network: statistics and vocabularies. */
package dev.millrace.model.features;
