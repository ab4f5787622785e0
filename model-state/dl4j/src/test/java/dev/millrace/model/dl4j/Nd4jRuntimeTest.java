package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.device.DeviceRequest;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;
import org.nd4j.common.config.ND4JClassLoading;
import org.nd4j.linalg.factory.Nd4j;

final class Nd4jRuntimeTest {

  @Test
  void leavesTheContextClassLoaderAsItWasAndHandsItToNobody() throws Exception {
    try (URLClassLoader ofTheJob = new URLClassLoader(new URL[0], Nd4j.class.getClassLoader())) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(ofTheJob);
      try {
        Nd4jRuntime.prepareThread(DeviceRequest.any()).close();
        assertThat(thread.getContextClassLoader()).isSameAs(ofTheJob);
      } finally {
        thread.setContextClassLoader(before);
      }
      assertThat(ND4JClassLoading.getNd4jClassloader()).isNotSameAs(ofTheJob);
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(other -> other.getContextClassLoader() == ofTheJob);
    }
  }
}
