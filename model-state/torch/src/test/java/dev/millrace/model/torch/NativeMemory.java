package dev.millrace.model.torch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the process holds of the machine's memory, heap included. */
final class NativeMemory {

  private static final long PAGE = 4096;

  private NativeMemory() {}

  static long mebibytes() throws IOException {
    System.gc();
    // Resident pages are the second number.
    String pages = Files.readString(Path.of("/proc/self/statm")).split(" ", 3)[1];
    return Long.parseLong(pages) * PAGE / (1 << 20);
  }
}
