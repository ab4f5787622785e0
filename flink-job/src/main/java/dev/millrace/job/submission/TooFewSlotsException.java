package dev.millrace.job.submission;

import dev.millrace.job.options.SubmissionOptions;
import org.apache.flink.runtime.rest.handler.legacy.messages.ClusterOverviewWithVersion;

/** A cluster has too few free slots for a job; the message says what to do. */
public final class TooFewSlotsException extends RuntimeException {

  TooFewSlotsException(int needed, ClusterOverviewWithVersion has, String webPage) {
    super(
        ("The job needs %s slots, one for each replica, and the cluster at %s has %s free of %s, on"
                + " %s TaskManagers. %s. Where TaskManagers are added on demand, set %s to 0")
            .formatted(
                needed,
                webPage,
                has.getNumSlotsAvailable(),
                has.getNumSlotsTotal(),
                has.getNumTaskManagersConnected(),
                needed > has.getNumSlotsTotal()
                    ? "Add TaskManagers, or give fewer replicas with -p"
                    : "Cancel a job (flink list), add TaskManagers, or give fewer replicas with -p",
                SubmissionOptions.SLOT_WAIT.key()));
  }
}
