/**
 * Predictions of ONNX Runtime in the place of an engine's, for whoever serves models. It is found
 * by {@link java.util.ServiceLoader}, and may be deleted with its line in {@code
 * META-INF/services}.
 *
 * <p>A graph has the network alone: features are completed before, as for the engine.
 */
package dev.millrace.onnx.predict;
