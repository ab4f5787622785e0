package dev.millrace.job.train.publish;

import java.io.Serializable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Starts the thread that a publisher works on. A simulation has one that runs in its own time. */
public interface PublisherThread extends Serializable {

  /** What a job runs with. */
  PublisherThread OWN =
      () ->
          Executors.newSingleThreadExecutor(
              task -> {
                Thread thread = new Thread(task, "millrace-publisher");
                thread.setDaemon(true);
                return thread;
              });

  /** Starts one, which does one task after another in their order. */
  ExecutorService start();
}
