package dev.millrace.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does short work again and again while a server runs, on the thread of its scheduler. */
public final class Repeated extends AbstractLifeCycle {

  private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

  private final Server server;
  private final Duration pause;
  private final Runnable work;
  private Scheduler.Task next;

  private Repeated(Server server, Duration pause, Runnable work) {
    this.server = server;
    this.pause = pause;
    this.work = work;
  }

  /** Has a server that hasn't been started do work from its start to its end. */
  public static void add(Server server, Duration pause, Runnable work) {
    server.addBean(new Repeated(server, pause, work));
  }

  @Override
  protected void doStart() {
    later();
  }

  private synchronized void later() {
    next = server.getScheduler().schedule(this::run, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void run() {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.error("What a server does again and again failed; it is tried again", e);
    } finally {
      if (isRunning() || isStarting()) {
        later();
      }
    }
  }

  @Override
  protected synchronized void doStop() {
    next.cancel();
  }
}
