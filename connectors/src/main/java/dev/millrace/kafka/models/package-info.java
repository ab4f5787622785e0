/** Keeps published models in a topic. */
package dev.millrace.kafka.models;
