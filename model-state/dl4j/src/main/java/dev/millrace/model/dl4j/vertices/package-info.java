/** Vertices of the built-in networks that DL4J has none like. */
package dev.millrace.model.dl4j.vertices;
