package dev.millrace.job.evaluate;

import dev.millrace.file.ExampleSequence;
import java.io.IOException;
import java.io.Serializable;

/** Where the examples of files come from; opened where they are read, by each reader. */
public interface SequenceSource extends Serializable {

  ExampleSequence open() throws IOException;
}
