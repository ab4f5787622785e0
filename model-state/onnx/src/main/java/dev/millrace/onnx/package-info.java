/**
 * Models as ONNX files: raw features go in, predictions come out. {@link
 * dev.millrace.onnx.OnnxExporter} makes a graph of features ({@code graph}) and network ({@code
 * dl4j}, {@code torch}), and has ONNX Runtime predict with it before it is named.
 *
 * <p>No engine's classes are used here. Networks are read by their configurations, which are text.
 */
package dev.millrace.onnx;
