/**
 * ONNX graphs under construction, and what is the same for the networks of all engines: the
 * features that go in.
 */
package dev.millrace.onnx.graph;
