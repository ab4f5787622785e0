/**
 * The Open Inference Protocol as gRPC: what stands on the wire, and a port of its own. Without this
 * package the server has HTTP alone.
 */
package dev.millrace.serve.grpc;
