/**
 * Layers that compute what DL4J's compute, bit for bit, with less work: without them all is as DL4J
 * has it, and slower.
 */
package dev.millrace.model.dl4j.layers;
