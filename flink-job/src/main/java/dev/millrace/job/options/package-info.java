/**
 * What an option is: its range, what it depends on, how it is checked. The options of all kinds of
 * job are here too: Kafka, examples, the model, checkpoints.
 */
package dev.millrace.job.options;
