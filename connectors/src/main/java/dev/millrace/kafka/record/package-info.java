/** Makes examples of records, and carries them between tasks. */
package dev.millrace.kafka.record;
