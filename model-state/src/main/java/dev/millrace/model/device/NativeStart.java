package dev.millrace.model.device;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the native code of an engine for the first time in a process, without JavaCPP's limit of
 * memory unless somebody has set one.
 *
 * <p>Nobody can interrupt it: classes whose start is interrupted, as Flink does when it cancels a
 * task, can't be used in that process any more. And of the processes that share a directory of
 * unpacked libraries one loads at a time. JavaCPP has a lock for unpacking a file, but not for
 * loading those that it unpacked before: a library needs others, which another process may be
 * writing just then, and a process that maps half of a file dies (SIGBUS).
 */
public final class NativeStart {

  private static final Logger LOG = LoggerFactory.getLogger(NativeStart.class);

  /**
   * JavaCPP's limit of a process's memory, by default twice the heap. It would refuse memory for
   * what other libraries use, and for each native object it reads a file of the system's.
   */
  private static final String LIMIT = "org.bytedeco.javacpp.maxphysicalbytes";

  private static final String LOCK = "millrace.lock";
  private static final Duration PAUSE = Duration.ofMillis(20);

  private NativeStart() {}

  /**
   * Runs what loads, on a thread of its own, and waits for its end. An interrupt of the caller
   * waits as long.
   *
   * @param engine names the thread
   * @param directory where libraries are unpacked
   * @param load may throw errors and unchecked exceptions, which the caller gets as they are
   */
  public static void run(String engine, Path directory, Runnable load) {
    if (System.getProperty(LIMIT) == null) {
      System.setProperty(LIMIT, "0");
    }
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                alone(directory, load);
                end.complete(null);
              } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
              }
            },
            engine + "-start");
    thread.setDaemon(true);
    thread.start();
    try {
      end.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  private static void alone(Path directory, Runnable load) {
    FileChannel file = lock(directory);
    try {
      load.run();
    } finally {
      close(file);
    }
  }

  /**
   * Waits for other processes, and for others in this one.
   *
   * @return gives the lock back when it is closed; null where no file can be made, so that nobody
   *     unpacks anything there
   */
  private static FileChannel lock(Path directory) {
    FileChannel file = null;
    try {
      Files.createDirectories(directory);
      file =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isTaken(file)) {
        LOG.info("Waiting for another process that unpacks native code to {}", directory);
        while (isTaken(file)) {
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      }
    } catch (IOException e) {
      LOG.debug("{} has no lock", directory, e);
    }
    return file;
  }

  /**
   * Takes the lock, unless somebody has it: another process, or this one for another engine or job,
   * which Java doesn't wait for.
   */
  private static boolean isTaken(FileChannel file) throws IOException {
    try {
      return file.tryLock() == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  private static void close(FileChannel file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      LOG.debug("A lock couldn't be given back", e);
    }
  }
}
