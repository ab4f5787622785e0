package dev.millrace.model.dl4j;

import dev.millrace.model.device.NativeStart;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.nd4j.FencedExecutioner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.Loader;
import org.deeplearning4j.config.DL4JClassLoading;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.factory.Nd4jBackend;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads ND4J. Apart from {@link Nd4jRuntime}, so that the JVM looks for ND4J's classes only when
 * somebody is there who can say what it means that there are none.
 */
final class Nd4jStart {

  private static final Logger LOG = LoggerFactory.getLogger(Nd4jStart.class);

  private static final String CUDA_BACKEND = "org.nd4j.linalg.jcublas.JCublasBackend";

  /** Is on the class path with the CUDA build whose devices are known. */
  private static final String KNOWN_BUILD = "META-INF/maven/org.nd4j/nd4j-cuda-11.6/pom.properties";

  private Nd4jStart() {}

  /** Loads ND4J, once in a process and where nobody can interrupt it. */
  static void run() {
    try {
      NativeStart.run("nd4j", Loader.getCacheDir().toPath(), Nd4jStart::runHere);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * ND4J and DL4J keep the context class loader of the thread that first uses them; given their own
   * they don't hold on to a job's.
   */
  private static void runHere() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader own = Nd4j.class.getClassLoader();
    thread.setContextClassLoader(own);
    try {
      Objects.requireNonNull(MultiLayerNetwork.class);
      boolean cuda = backend().getClass().getName().equals(CUDA_BACKEND);
      if (cuda && own.getResource(KNOWN_BUILD) != null) {
        // Before Nd4j itself is loaded, which computes on every device.
        CudaCode.require(devices(natives()));
      }
      Nd4j.create(1).close();
      DL4JClassLoading.setDl4jClassloaderFromClass(DL4JClassLoading.class);
      FencedExecutioner.install();
    } catch (Nd4jBackend.NoAvailableBackendException e) {
      throw new IllegalStateException("ND4J finds its CUDA backend no more", e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * The backend that ND4J will take: of those that can run, the one of the highest priority, which
   * is CUDA's. ND4J's own search doesn't tell why the others can't.
   */
  private static Nd4jBackend backend() {
    List<String> reasons = new ArrayList<>();
    for (Nd4jBackend backend : onClassPath()) {
      String name = backend.getClass().getSimpleName();
      try {
        if (backend.isAvailable()) {
          return backend;
        }
        reasons.add(name + " can't run");
      } catch (RuntimeException e) {
        reasons.add(name + ": " + StartFailure.messageOf(StartFailure.rootOf(e)));
      }
    }
    throw new UnusableEngineException(StartFailure.noBackend(reasons));
  }

  private static List<Nd4jBackend> onClassPath() {
    return ServiceLoader.load(Nd4jBackend.class, Nd4j.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(Comparator.comparing(Nd4jBackend::getPriority).reversed())
        .toList();
  }

  /** Loads the natives, which read the devices' properties, and computes nothing. */
  private static NativeOps natives() throws Nd4jBackend.NoAvailableBackendException {
    Nd4jBackend.load();
    return NativeOpsHolder.getInstance().getDeviceNativeOps();
  }

  static List<CudaDevice> devices(NativeOps natives) {
    List<CudaDevice> devices =
        IntStream.range(0, natives.getAvailableDevices())
            .mapToObj(
                number ->
                    new CudaDevice(
                        number,
                        natives.getDeviceName(number),
                        natives.getDeviceMajor(number),
                        natives.getDeviceMinor(number)))
            .toList();
    devices.forEach(device -> LOG.info("ND4J sees: {}", device));
    return devices;
  }
}
