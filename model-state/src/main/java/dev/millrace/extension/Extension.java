package dev.millrace.extension;

import java.util.Map;

/**
 * A kind of thing that jobs use by its name, in a jar of somebody else's. {@link
 * java.util.ServiceLoader} finds it: the jar has a file of the name of the kind's interface in
 * {@code META-INF/services}, with the name of the class that implements it. That class has a public
 * constructor without parameters.
 *
 * <p>It is asked in the process that submits a job, which checks it, and in those of the job.
 * docs/internals/extensions.md describes each kind.
 *
 * @param <T> what it makes
 */
public interface Extension<T> {

  /**
   * Returns the name by which options call it: small letters and hyphens. No two of a kind have the
   * same.
   */
  String name();

  /**
   * Makes one.
   *
   * @param options those of the job that begin with {@code extension.options.}, without that; of
   *     all extensions of the job
   * @throws IllegalArgumentException if an option is missing or wrong, saying which and what to do
   */
  T create(Map<String, String> options);
}
