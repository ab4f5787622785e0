package dev.millrace.simulate.task;

import java.lang.reflect.Proxy;

/** Objects that Flink asks for, and that nothing in a simulation depends on. */
final class Blank {

  private Blank() {}

  /** Returns an object whose methods do nothing, and answer null, false or zero. */
  static <T> T of(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> nothing(method.getReturnType())));
  }

  private static Object nothing(Class<?> type) {
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == long.class) {
      return 0L;
    }
    return null;
  }
}
