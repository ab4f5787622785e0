package dev.millrace.job.train.part.updates;

import dev.millrace.job.train.publish.ModelStream;
import dev.millrace.job.updates.ModelUpdate;
import dev.millrace.job.updates.UpdateEncoder;
import dev.millrace.job.updates.UpdateEnvelope;
import dev.millrace.kafka.models.UpdateTopic;
import dev.millrace.model.GlobalModel;
import dev.millrace.snapshot.ModelSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes updates to a topic, on a thread of its own. Where models come faster than that, the newest
 * wins. After an update that couldn't be written, or parameters that are no numbers, the next whole
 * model begins anew.
 *
 * <p>While followers read a whole model, the updates of the one before it go on.
 */
final class UpdateStream implements ModelStream {

  private static final Logger LOG = LoggerFactory.getLogger(UpdateStream.class);
  private static final long CLOSE_SECONDS = 10;

  /** How long a follower has to find a whole model and to read it. */
  private static final Duration READING = Duration.ofSeconds(3);

  private final UpdatesToTopic place;
  private final AtomicReference<GlobalModel> newest = new AtomicReference<>();
  private final AtomicReference<GlobalModel> begins = new AtomicReference<>();
  private volatile boolean ended;
  private final ExecutorService worker =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "millrace-updates");
            thread.setDaemon(true);
            return thread;
          });

  // Of the worker's thread.
  private UpdateTopic topic;
  private ModelSigner signer;

  /**
   * One of the newest whole model, and while that is read one of that before; none after a failure.
   */
  private final Deque<UpdateEncoder> encoders = new ArrayDeque<>();

  private long begun;

  UpdateStream(UpdatesToTopic place) {
    this.place = place;
  }

  @Override
  public void published(GlobalModel whole) {
    begins.set(whole);
    execute(this::begin);
  }

  private void begin() {
    GlobalModel whole = begins.getAndSet(null);
    if (whole == null) {
      return;
    }
    keepLast();
    encoders.addLast(new UpdateEncoder(whole));
    begun = System.nanoTime();
    // There may be no later round for a long time.
    sendNewest();
  }

  private void execute(Runnable task) {
    try {
      worker.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("Updates have ended", e);
    }
  }

  private void keepLast() {
    while (encoders.size() > 1) {
      encoders.removeFirst();
    }
  }

  @Override
  public void made(GlobalModel model) {
    newest.set(model);
    execute(this::sendNewest);
  }

  private void sendNewest() {
    GlobalModel model = newest.get();
    if (ended || model == null || encoders.stream().noneMatch(encoder -> encoder.isBefore(model))) {
      return;
    }
    if (System.nanoTime() - begun > READING.toNanos()) {
      keepLast();
    }
    try {
      if (areNumbers(model)) {
        open();
        for (UpdateEncoder encoder : encoders) {
          if (encoder.isBefore(model)) {
            send(model, encoder);
          }
        }
      } else {
        LOG.warn("Model {} has parameters that are no numbers: no update is made", model.version());
        encoders.clear();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "An update of model {} isn't in {}; updates go on with the next whole model",
          model.version(),
          place,
          e);
      encoders.clear();
      closeTopic();
    }
  }

  private void open() throws IOException {
    if (topic == null) {
      String key = place.signingKeyOrNull();
      signer = key == null ? null : ModelSigner.of(Path.of(key));
      topic = UpdateTopic.open(place.cluster(), place.topic());
    }
  }

  private void send(GlobalModel model, UpdateEncoder encoder) throws IOException {
    List<byte[]> pieces = new ArrayList<>();
    for (ModelUpdate piece : encoder.encode(model, Instant.now())) {
      byte[] bytes = piece.write();
      String signature = signer == null ? "" : signer.signUpdate(model.version(), bytes);
      pieces.add(new UpdateEnvelope(bytes, signature).write());
    }
    topic.write(encoder.number(), pieces);
  }

  /** Training can run away: what it has lost would stay in all updates. */
  private static boolean areNumbers(GlobalModel model) {
    for (int i = 0; i < model.spec().parameters(); i++) {
      if (!Float.isFinite(model.vector()[i])) {
        return false;
      }
    }
    return true;
  }

  private void closeTopic() {
    if (topic != null) {
      topic.close();
      topic = null;
    }
  }

  @Override
  public void end() throws InterruptedException {
    ended = true;
    worker.execute(this::closeTopic);
    worker.shutdown();
    if (!worker.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("An update is still being written to {}; it is left alone", place);
    }
  }
}
