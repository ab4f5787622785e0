/**
 * Vertices of the built-in networks that DL4J has none like. They lie with ND4J and know no class
 * of a job: DL4J finds them by their names in its JSON, and keeps what it has found for all jobs of
 * a process.
 */
package dev.millrace.nd4j.vertices;
