/**
 * DL4J's networks as ONNX nodes, by the JSON of their configurations: a class for each kind of
 * layer.
 */
package dev.millrace.onnx.dl4j;
