/** An engine that learns nothing, so that all else can be measured. */
package dev.millrace.benchmark.still;
