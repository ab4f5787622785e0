/** What a training record is: example, formats, validation. Pure Java, no Flink and no Kafka. */
package dev.millrace.example;
