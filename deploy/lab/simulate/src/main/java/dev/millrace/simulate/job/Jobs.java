package dev.millrace.simulate.job;

import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.job.train.publish.ReleaseSettings;
import dev.millrace.kafka.models.SimulatedModelTopic;
import dev.millrace.simulate.task.Barrier.Kind;
import dev.millrace.simulate.time.Chance;
import dev.millrace.simulate.time.Timeline;
import dev.millrace.snapshot.RefusedModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The submissions of a run, one after another, and what they share: input, and place of models. */
public final class Jobs {

  private static final long SECOND = 1_000_000;

  /** Both of two jobs have begun to publish. */
  private static final int MOST_ASKED = 30;

  private static final long LONG_ENOUGH = 60 * SECOND;

  /** Longer than it takes until the job has begun again, mostly. */
  private static final long SHORTEST_OUTAGE = 30 * SECOND;

  /** So many checkpoints stay. */
  private static final int MOST_KEPT = 5;

  private final Timeline timeline;
  private final Chance chance;
  private final String name;
  private final Input input;
  private final Defect defect;
  private final JobEvents events;
  private final Models models;
  private final boolean inStep;

  private JobOptions options;
  private final List<Kept> kept = new ArrayList<>();
  private final List<Job> all = new ArrayList<>();
  private Job current;
  private SecondJob secondOrNull;
  private boolean hadSecond;
  private int submissions;
  private Kind asked;

  /** How long the store fails after the next checkpoint; 0 for not at all. */
  private long outage;

  /** A checkpoint that the job may begin anew from, and what it was submitted with then. */
  private record Kept(Completed checkpoint, JobOptions options) {}

  /**
   * Makes those of a run.
   *
   * @param name that no other run has
   */
  public Jobs(
      Timeline timeline, Chance chance, String name, Input input, Defect defect, JobEvents events) {
    this.timeline = timeline;
    this.chance = chance;
    this.name = name;
    this.input = input;
    this.defect = defect;
    this.events = events;
    this.models =
        new Models(
            timeline,
            chance,
            MemoryStores.SCHEME + "://" + name + "/models",
            defect,
            new OfModels());
    this.inStep = !input.isStream() && !input.isUneven() && chance.at("in step").says(0.25);
    JobOptions any = JobOptions.draw(chance.at("options"));
    this.options =
        inStep
            ? any.inStep(input.partitions())
            : input.isUneven() ? any.uneven(input.partitions()) : any;
  }

  /** Hears what becomes of models. */
  private final class OfModels implements Models.Writers {

    @Override
    public void wrote(WrittenFile file) {
      events.wrote(file, options);
    }

    @Override
    public void wroteBySecond(WrittenFile file) {
      events.wroteBySecond(file, options);
    }

    @Override
    public void putBack(String file) {
      events.happened("put back: " + file, 0);
    }

    @Override
    public void sent(SimulatedModelTopic topic) {
      events.sent(topic);
    }

    @Override
    public void held(ModelPlace place) {
      events.held(place.files());
    }
  }

  /** Nothing of it is used any more. */
  public void close() {
    models.end();
    endSecond();
    // What earlier ones had in lost processes, too.
    all.forEach(Job::discard);
    models.close();
  }

  public Job current() {
    return current;
  }

  /** Returns the place of models. */
  public ModelPlace place() {
    return models.place();
  }

  /** Returns in words where the job is. */
  public String state() {
    return "%s, options %s".formatted(current.state(), options);
  }

  /** Submits the first job. */
  public void start() {
    submit(null);
  }

  private void submit(Completed fromOrNull) {
    current = job(fromOrNull, false, events);
    current.start();
  }

  private Job job(Completed fromOrNull, boolean second, JobEvents listener) {
    ReleaseSettings release = options.publishes() ? models.release(second) : null;
    UsedGenerations generations =
        options.publishes() ? release.place().generations() : UsedGenerations.NONE;
    Chance own = chance.at("submission").at(submissions);
    Job job =
        new Job(
            timeline,
            own,
            name + "." + submissions++,
            options,
            new Graph(options, input, new Operators(options, input, release, generations)),
            times(own.at("times")),
            fromOrNull,
            defect,
            listener);
    all.add(job);
    return job;
  }

  private Times times(Chance own) {
    Times any = Times.draw(own);
    return input.isUneven() ? any.withSlow(0) : any;
  }

  /** A checkpoint of the job is complete. */
  public void completed(Completed checkpoint) {
    kept.add(new Kept(checkpoint, options));
    if (kept.size() > MOST_KEPT) {
      kept.remove(0);
    }
    if (outage > 0) {
      place().fail(outage);
      outage = 0;
      var unused = timeline.in(0, current::loseJobManager);
    }
  }

  /**
   * One cause: as soon as a checkpoint is complete the JobManager is lost, and the store fails,
   * mostly until after the job has begun again.
   */
  public void outage(long micros) {
    outage = SHORTEST_OUTAGE + micros;
  }

  /** Stops the job with a savepoint, and continues with other options. */
  public void stop() {
    ask(Kind.STOP);
  }

  /** Has the job end with what it has read. */
  public void drain() {
    ask(Kind.DRAIN);
  }

  /**
   * Until it is done: a savepoint may fail, and the job may fail amid it. Where it takes too long,
   * as a drain of a slow replica that has much to learn, the job is left alone.
   */
  private void ask(Kind kind) {
    if (asked != null) {
      return;
    }
    asked = kind;
    askAgain(current, MOST_ASKED);
  }

  private void askAgain(Job job, int more) {
    if (job != current || job.isOver() || asked == null) {
      return;
    }
    if (more == 0) {
      asked = null;
      return;
    }
    if (!job.trigger(asked)) {
      events.happened("asked in vain", 0);
    }
    var unused = timeline.in(20 * SECOND, () -> askAgain(job, more - 1));
  }

  /** Submits the job anew, from its savepoint and with other options. */
  public void resume(Completed savepoint) {
    asked = null;
    endSecond();
    JobOptions other = options.redraw(chance.at("options").at(submissions));
    boolean same =
        inStep || input.isUneven() || savepoint.partlyEnded() || !savepoint.ended().isEmpty();
    options = same ? options : other;
    var unused = timeline.in(5 * SECOND, () -> submit(savepoint));
  }

  /** Cancels the job, and submits it anew from its newest checkpoint. */
  public void resubmit() {
    if (mayBeCancelled()) {
      Job job = current;
      cancel(() -> submit(job.newest()));
    }
  }

  /** Cancels the job, and submits it anew from an older checkpoint, with the options of then. */
  public void rollBack(int steps) {
    if (mayBeCancelled() && kept.size() > 1) {
      int place = steps % (kept.size() - 1);
      Kept older = kept.get(place);
      cancel(
          () -> {
            kept.subList(place + 1, kept.size()).clear();
            options = older.options();
            events.rolledBack(older.checkpoint());
            submit(older.checkpoint());
          });
    }
  }

  private boolean mayBeCancelled() {
    return !current.isOver() && current.isRunning() && current.newest() != null;
  }

  private void cancel(Runnable then) {
    asked = null;
    endSecond();
    current.cancel(
        () -> {
          var unused = timeline.in(5 * SECOND, then);
        });
  }

  /** Submits the job a second time, while the first works on: it publishes to the same place. */
  public void submitSecond(long micros) {
    if (options.publishes() && mayBeCancelled() && secondOrNull == null) {
      beginSecond(current.newest(), micros);
    }
  }

  /** Cancels the job, and submits it twice at one time: anew, if it has no checkpoint. */
  public void submitTwice(long micros) {
    if (options.publishes() && !current.isOver() && current.isRunning()) {
      Completed newest = current.newest();
      cancel(
          () -> {
            submit(newest);
            beginSecond(newest, LONG_ENOUGH + micros);
          });
    }
  }

  private void beginSecond(Completed fromOrNull, long micros) {
    SecondJob second = new SecondJob(events);
    secondOrNull = second;
    hadSecond = true;
    events.forked();
    second.start(job(fromOrNull, true, second));
    var unused =
        timeline.in(
            micros,
            () -> {
              if (secondOrNull == second) {
                endSecond();
              }
            });
  }

  /** A person puts an older model back, and lets go of it after a while. */
  public void putBack(int which, long micros) {
    if (options.publishes()) {
      models.person().putBackSoon(which, micros);
    }
  }

  /** Whether the end depends on the records alone, and on nothing that fails. */
  public boolean areInStep() {
    return inStep;
  }

  /** Whether the job was alone at its place of models. */
  public boolean wasAlone() {
    return !hadSecond;
  }

  /** Whether a failure is that of one of two jobs that publish to one place. */
  public boolean isOfSecond(Throwable failure) {
    return hadSecond
        && Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
            .anyMatch(RefusedModelException.class::isInstance);
  }

  private void endSecond() {
    if (secondOrNull != null) {
      secondOrNull.end();
      secondOrNull = null;
    }
  }
}
