package dev.millrace.serve.grpc;

import dev.millrace.serve.BodyBudget;
import dev.millrace.serve.RefusedRequestException;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.function.Consumer;

/**
 * The memory that a call's message takes of what is for all requests. It is counted as its bytes
 * come: gRPC keeps them until the message is whole, which may be never.
 */
final class CallMemory extends ServerStreamTracer {

  private static final Context.Key<CallMemory> KEY = Context.key("memory");

  private final BodyBudget bodies;
  private final BodyBudget.Share share;
  private Consumer<RefusedRequestException> refusal;
  private long bytes;

  private CallMemory(BodyBudget bodies, int atOnce) {
    this.bodies = bodies;
    this.share = bodies.share(atOnce);
  }

  /**
   * Returns what begins with each call.
   *
   * @param atOnce most calls that a connection has at a time
   */
  static Factory factory(BodyBudget bodies, int atOnce) {
    return new Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        return new CallMemory(bodies, atOnce);
      }
    };
  }

  /** Returns that of the call which the current thread begins. */
  static CallMemory ofCall() {
    return KEY.get();
  }

  /** Has this hear where there is no room. Called before a message is asked for. */
  void watch(Consumer<RefusedRequestException> refused) {
    refusal = refused;
  }

  void giveBack() {
    share.close();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  @Override
  public void inboundWireSize(long more) {
    bytes += more;
    if (!share.growTo(bytes)) {
      refusal.accept(bodies.noRoom());
    }
  }

  @Override
  public void streamClosed(Status status) {
    giveBack();
  }
}
