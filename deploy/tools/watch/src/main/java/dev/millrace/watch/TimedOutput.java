package dev.millrace.watch;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/** Takes bytes up to a time: a client that reads slowly keeps no thread for longer. */
final class TimedOutput extends FilterOutputStream {

  private final Duration most;
  private final long begun = System.nanoTime();

  TimedOutput(OutputStream out, Duration most) {
    super(out);
    this.most = most;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (System.nanoTime() - begun > most.toNanos()) {
      throw new IOException("A client hasn't read all within " + most);
    }
    out.write(bytes, from, length);
  }
}
