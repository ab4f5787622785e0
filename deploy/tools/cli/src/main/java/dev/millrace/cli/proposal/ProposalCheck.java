package dev.millrace.cli.proposal;

import dev.millrace.cli.describe.LabelOrder;
import dev.millrace.cli.describe.Rejections;
import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.SkippedRecordException;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/** Looks at a sample as a job with proposed options would. */
final class ProposalCheck {

  private ProposalCheck() {}

  /**
   * Checks the options, and reads each record.
   *
   * @param options as they are proposed
   * @param most records that are read
   * @param order told the labels of classes
   * @throws dev.millrace.job.options.InvalidOptionsException if no job can have the options
   * @throws IOException if the records can't be read again
   */
  static Rejections of(
      Configuration options, SampledRecords.Source source, long most, LabelOrder order)
      throws IOException {
    JobOptions.check(JobKind.TRAINING, options, new Configuration());
    ExampleShape shape = InputOptions.shape(options);
    ExampleFormat format = InputOptions.exampleFormat(options, shape);
    Set<String> fields = names(InputFields.description(options).orElseThrow());
    Example example = new Example(shape);
    Rejections rejections = new Rejections();
    try (SampledRecords records = source.open()) {
      while (rejections.records() < most && records.next()) {
        example.reset();
        try {
          format.read(records.value(), example);
          rejections.accept();
          if (shape.target() == Target.CLASSIFICATION) {
            order.next(example.labels());
          }
        } catch (SkippedRecordException e) {
          // The sample has counted it.
        } catch (InvalidExampleException e) {
          rejections.reject(records.place(), e.getMessage(), fields);
        }
      }
    }
    return rejections;
  }

  private static Set<String> names(FieldsDescription description) {
    return new HashSet<>(
        Stream.concat(
                description.features().stream().map(field -> field.source().name()),
                description.labels().stream().map(label -> label.source().name()))
            .toList());
  }
}
