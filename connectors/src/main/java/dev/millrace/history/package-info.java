/**
 * Files that are learned from before topics are: history first, then what comes.
 *
 * <p>Flink's {@code HybridSource} (2.3) isn't used for it. Its enumerator forgets the first source
 * once it has switched: when a failure takes readers back to a checkpoint before the switch, their
 * requests for files reach the enumerator of the second source, and nobody answers. What its
 * readers restored isn't in a checkpoint that comes before they were told which source is theirs.
 * And its offsets are looked up at the switch, so that records which came in the meantime would be
 * passed over from {@code latest}. Here both enumerators are there all the time.
 */
package dev.millrace.history;
