package dev.millrace.cli.console;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Turns Ctrl-C and a request to terminate into something that a run can wait for. A shutdown hook
 * would not do: other hooks close the job's files and the broker while it still writes its last
 * state. A second signal ends the process at once.
 */
public final class StopSignal {

  /** A signal came during work that is abandoned for it. */
  public static final class InterruptedRunException extends RuntimeException {

    private final int exitCode;

    InterruptedRunException(int exitCode) {
      super("Interrupted");
      this.exitCode = exitCode;
    }

    public int exitCode() {
      return exitCode;
    }
  }

  private static final Duration ABANDON_LIMIT = Duration.ofSeconds(5);

  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  /** Takes the signals over for the rest of this process. */
  public static StopSignal install() {
    StopSignal interrupt = new StopSignal();
    interrupt.handle("INT", 130);
    interrupt.handle("TERM", 143);
    return interrupt;
  }

  /** Completes with the exit code of the signal, when one has come. */
  public CompletableFuture<Integer> exitCode() {
    return exitCode;
  }

  /**
   * Does work that can be left unfinished, on a thread of its own that a signal interrupts.
   *
   * @throws InterruptedRunException if a signal came first, and the work has ended or had time to
   */
  public <T> T during(Callable<T> work) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable e) {
                // Whatever it is, somebody waits for it.
                result.completeExceptionally(e);
              }
            },
            "millrace-work");
    thread.setDaemon(true);
    thread.start();
    try {
      CompletableFuture.anyOf(result, exitCode).get();
      if (!result.isDone()) {
        thread.interrupt();
        thread.join(ABANDON_LIMIT.toMillis());
        throw new InterruptedRunException(exitCode.join());
      }
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  public void received(int code) {
    if (!exitCode.complete(code)) {
      Runtime.getRuntime().halt(code);
    }
  }

  private void handle(String signal, int code) {
    try {
      // By reflection: the JDK's only API for signals warns when it is compiled against.
      Class<?> signalType = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              StopSignal.class.getClassLoader(),
              new Class<?>[] {handlerType},
              (proxy, method, arguments) -> {
                received(code);
                return null;
              });
      signalType
          .getMethod("handle", signalType, handlerType)
          .invoke(null, signalType.getConstructor(String.class).newInstance(signal), handler);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JDK has no sun.misc.Signal to handle " + signal, e);
    }
  }
}
