package dev.millrace.job.train.publish;

import dev.millrace.job.train.measure.HoldOut;
import java.io.IOException;
import java.io.Serializable;

/** Where the hold-out set comes from; read where the publisher runs. */
public interface HoldOutSource extends Serializable {

  HoldOut read() throws IOException;
}
