package dev.millrace.dl4j.run;

import java.util.function.Consumer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.CloseableIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a job's records to the program. */
public final class NewsLink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NewsLink.class);

  private final AutoCloseable link;
  private final Runnable fetching;

  private NewsLink(AutoCloseable link, Runnable fetching) {
    this.link = link;
    this.fetching = fetching;
  }

  /**
   * Hands on the records of a job in this process, at once. After a failure some come again.
   *
   * @param news takes them on another thread
   */
  public static NewsLink here(DataStream<String> records, Consumer<String> news) {
    LocalHandle<Consumer<String>> handle = LocalHandle.of(news);
    records.sinkTo(new LocalSink<>(handle)).name("news").setParallelism(1);
    return new NewsLink(handle, () -> {});
  }

  /**
   * Fetches the records of a job on a cluster, each once, when a checkpoint has them.
   *
   * @param news takes them on another thread
   */
  public static NewsLink fetched(DataStream<String> records, Consumer<String> news) {
    CloseableIterator<String> iterator = records.collectAsync();
    return new NewsLink(iterator, () -> fetch(iterator, news));
  }

  /** A job that fails is told of by its own result. */
  private static void fetch(CloseableIterator<String> records, Consumer<String> news) {
    try {
      records.forEachRemaining(news);
    } catch (RuntimeException e) {
      LOG.debug("A job's records come no more", e);
    }
  }

  /** Begins, once the job is submitted. */
  public void open() {
    Thread thread = new Thread(fetching, "millrace-news");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      link.close();
    } catch (Exception e) {
      LOG.warn("The way of a job's records can't be closed", e);
    }
  }
}
