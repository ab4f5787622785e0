package dev.millrace.serve.grpc;

import dev.millrace.job.serve.Limits;
import dev.millrace.serve.PredictionService;
import dev.millrace.serve.RefusedRequestException;
import dev.millrace.serve.TensorAnswer;
import dev.millrace.snapshot.Release;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** The protocol's service: which calls there are, and what answers each. */
final class InferenceService {

  private static final String SERVICE = "inference.GRPCInferenceService";

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  /** Messages are read and written here: gRPC passes on their bytes. */
  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {

        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  /** Answers a call. */
  interface Method {

    CompletableFuture<byte[]> answer(byte[] message, long begun) throws RefusedRequestException;
  }

  private final PredictionService service;
  private final Duration timeout;
  private final long maxBody;
  private final Executor executor;

  InferenceService(PredictionService service, Limits limits, Executor executor) {
    this.service = service;
    this.timeout = limits.timeout();
    this.maxBody = limits.maxBody();
    this.executor = executor;
  }

  ServerServiceDefinition definition() {
    ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(SERVICE);
    // Health is told to anybody, as over HTTP.
    add(definition, "ServerLive", "health", true, (message, begun) -> now(Messages.truth(true)));
    add(
        definition,
        "ServerReady",
        "health",
        true,
        (message, begun) -> now(Messages.truth(service.isReady())));
    add(definition, "ModelReady", "model", false, this::modelReady);
    add(
        definition,
        "ServerMetadata",
        "server",
        false,
        (message, begun) -> now(Messages.server("millrace", Release.version())));
    add(definition, "ModelMetadata", "model", false, this::modelMetadata);
    add(definition, "ModelInfer", "infer", false, this::infer);
    return definition.build();
  }

  private void add(
      ServerServiceDefinition.Builder definition,
      String name,
      String api,
      boolean open,
      Method method) {
    MethodDescriptor<byte[], byte[]> descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
            .build();
    definition.addMethod(
        descriptor,
        (ServerCall<byte[], byte[]> call, Metadata headers) -> {
          CallMemory memory = CallMemory.ofCall();
          UnaryCall unary = new UnaryCall(call, "grpc_" + api, method, service, memory, timeout);
          memory.watch(unary::refuse);
          try {
            if (!open) {
              service.requireAccess(headers.get(AUTHORIZATION));
            }
            call.request(2);
          } catch (RefusedRequestException e) {
            unary.refuse(e);
          }
          return unary;
        });
  }

  private static CompletableFuture<byte[]> now(byte[] message) {
    return CompletableFuture.completedFuture(message);
  }

  private CompletableFuture<byte[]> modelReady(byte[] message, long begun)
      throws RefusedRequestException {
    Messages.Named named = Messages.named(message);
    return now(Messages.truth(service.isReady(named.model(), named.version())));
  }

  private CompletableFuture<byte[]> modelMetadata(byte[] message, long begun)
      throws RefusedRequestException {
    Messages.Named named = Messages.named(message);
    return now(Messages.model(service.describe(named.model(), named.version())));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // What is done behind the answer ends nothing.
  private CompletableFuture<byte[]> infer(byte[] message, long begun)
      throws RefusedRequestException {
    InferMessage read = InferMessage.read(message, maxBody);
    boolean raw = read.isRaw();
    CompletableFuture<TensorAnswer> predicted = service.infer(read.request(), begun, executor);
    CompletableFuture<byte[]> answer = predicted.thenApply(found -> Messages.answer(found, raw));
    // Who cancels the answer has the request left out of its batch.
    answer.whenComplete((any, failure) -> predicted.cancel(false));
    return answer;
  }
}
