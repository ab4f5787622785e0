/**
 * Models as DL4J networks: the only package that knows DL4J and ND4J. {@link
 * dev.millrace.model.dl4j.Dl4jEngine} is its one way in.
 */
package dev.millrace.model.dl4j;
