package dev.millrace.nd4j;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner;
import org.nd4j.linalg.factory.Nd4j;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the operands of every ND4J operation reachable until it is done.
 *
 * <p>ND4J 1.0.0-M2.1 hands native code the addresses of arrays that Java then no longer refers to,
 * such as an operation's dimensions. A garbage collection at that moment frees them, and the JVM
 * dies in {@code sd::DataBuffer::primary()}: seldom, but with three threads that train and one that
 * makes garbage within ten seconds, where it now survives three minutes and 160,000 collections.
 *
 * <p>It stays in ND4J for as long as ND4J stays loaded, so it must come from the same class loader:
 * held by one of a job, that job's classes would never be unloaded.
 */
public final class FencedExecutioner implements InvocationHandler {

  private static final Logger LOG = LoggerFactory.getLogger(FencedExecutioner.class);

  private final OpExecutioner executioner;

  private FencedExecutioner(OpExecutioner executioner) {
    this.executioner = executioner;
  }

  /** Puts itself in front of ND4J's executioner, once; ND4J must be loaded. */
  public static void install() {
    if (Proxy.isProxyClass(Nd4j.getExecutioner().getClass())) {
      return;
    }
    try {
      // The property "opexec" would do it, too, but only for a class made for one backend.
      Field field = Nd4j.class.getDeclaredField("OP_EXECUTIONER_INSTANCE");
      field.setAccessible(true);
      field.set(null, around(Nd4j.getExecutioner()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "This ND4J can't be guarded against collecting the operands of running operations;"
              + " use version 1.0.0-M2.1, or expect a crash of the JVM now and then",
          e);
    }
  }

  static OpExecutioner around(OpExecutioner executioner) {
    return (OpExecutioner)
        Proxy.newProxyInstance(
            OpExecutioner.class.getClassLoader(),
            new Class<?>[] {OpExecutioner.class},
            new FencedExecutioner(executioner));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] operands) throws Throwable {
    try {
      return method.invoke(executioner, operands);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      Reference.reachabilityFence(operands);
    }
  }
}
